# SPDX-License-Identifier: Apache-2.0
# The guide: its texts, its training, its file.
