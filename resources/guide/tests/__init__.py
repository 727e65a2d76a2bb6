# Tests of the guide's texts.
