#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fresh_header.sh COMMAND ...: runs a compiler's command; if it makes a precompiled header, removes the old one first. ccache would read
# the old one instead of the headers in it, miss an edit of them, and return the old one again. Nor may it look at the preprocessed text
# alone: comments are not in it, and GCC takes a header whose comments changed for another one than that in the precompiled header.
previous=
for word; do
  case "$previous $word" in "-o "*.gch) rm -f "$word"; export CCACHE_DEPEND=true ;; esac
  previous=$word
done
exec "$@"
