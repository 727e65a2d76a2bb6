#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the bill of materials of a package beside it: what it contains, and what it needs, as SPDX 2.3 in JSON.

    bill.py PACKAGE --version VERSION [--works NAME ...] [--contains FILE] [--depends NAMES]      writes PACKAGE.spdx.json

--works names the works of others in the package by their texts in resources/licences; if it is missing, they are those that are compiled into the programs on
Linux. FILE has the name of a Debian package in each line, as portable.py writes it; NAMES is the field Depends of a Debian package. SOURCE_DATE_EPOCH is the
time of its making.
"""
import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import uuid

import identity

LICENCES = pathlib.Path(__file__).parents[2] / "resources/licences"
# The works of others that the programs contain, by the names of their texts in resources/licences, with the Debian packages from which they come. Tables in
# our own sources come from none.
COMPILED_IN = {"cli11": "libcli11-dev", "ggml": "", "json": "nlohmann-json3-dev", "liburing": "liburing-dev", "sqlitecpp": "libsqlitecpp-dev", "unicode": ""}


def version_of(package):
    """The version of a Debian package that is installed here, else nothing."""
    if not package or not shutil.which("dpkg-query"):
        return ""
    done = subprocess.run(["dpkg-query", "--show", "--showformat", "${Version}", package], text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.strip()


def part(name, version="", licence="NOASSERTION", **more):
    known = {"versionInfo": version} if version else {}
    return {"SPDXID": "SPDXRef-" + re.sub("[^A-Za-z0-9.-]", "-", name), "name": name, **known, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}


def parts_of(works):
    """These works as parts, by the names of their Debian packages if those are here. The first line of a text is the work's name, the second that of its
    licence, which is no identifier of SPDX for a few works that are not compiled in."""
    for name in works:
        title, licence = (LICENCES / f"{name}.txt").read_text(encoding="utf-8").splitlines()[:2]
        known = licence if re.fullmatch(r"[A-Za-z0-9.-]+", licence) else "NOASSERTION"
        origin = COMPILED_IN.get(name, "")
        version = version_of(origin)
        yield part(origin, version, known, summary=title) if version else part(title, licence=known)


def bill(package, version, works, contains, depends):
    digest = hashlib.sha256(package.read_bytes()).hexdigest()
    own = part("coterie", version, "Apache-2.0", packageFileName=package.name, checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
    others = [("CONTAINS", other) for other in parts_of(works)]
    for names, relation in ((contains, "CONTAINS"), (depends, "DEPENDS_ON")):
        others += [(relation, part(name, version_of(name))) for name in sorted(names)]
    parts = [own] + [other for _, other in others]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])] + [(own["SPDXID"], relation, other["SPDXID"]) for relation, other in others]
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": package.name,
            "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
            "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": [f"Organization: {identity.read()['publisher']}"]},
            "packages": parts,
            "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("package", type=pathlib.Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--works", nargs="+", default=list(COMPILED_IN))
    parser.add_argument("--contains", type=pathlib.Path)
    parser.add_argument("--depends", default="")
    options = parser.parse_args()
    contains = options.contains.read_text(encoding="utf-8").split() if options.contains else []
    depends = {re.split(r"[ |(]", name.strip())[0] for name in options.depends.split(",") if name.strip()}
    text = json.dumps(bill(options.package, options.version, options.works, set(contains) - set(COMPILED_IN.values()), depends), indent=1) + "\n"
    pathlib.Path(f"{options.package}.spdx.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
