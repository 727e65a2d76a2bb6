# The guide: its texts, its training, its file.
