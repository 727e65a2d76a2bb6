#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fresh_header.sh COMMAND ...: runs a compiler's command; if it makes a precompiled header, removes the old one first. ccache would read
# the old one instead of the headers in it, miss an edit of them, and return the old one again.
previous=
for word; do
  case "$previous $word" in "-o "*.gch) rm -f "$word" ;; esac
  previous=$word
done
exec "$@"
