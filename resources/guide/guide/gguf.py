# SPDX-License-Identifier: Apache-2.0
"""Writes GGUF files (version 3): metadata, then tensors in F32, F16 or Q8_0."""

import os
import struct
from pathlib import Path

import numpy

ALIGNMENT = 32
F32, F16, Q8_0 = 0, 1, 8  # GGML's numbers of tensor types
UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9  # GGUF's numbers of value types
BLOCK = 32  # values of a Q8_0 block


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def value(item) -> bytes:
    """A metadata value with its type before it."""
    if isinstance(item, bool):
        return struct.pack("<I?", BOOL, item)
    if isinstance(item, int):
        return struct.pack("<II", UINT32, item)
    if isinstance(item, float):
        return struct.pack("<If", FLOAT32, item)
    if isinstance(item, str):
        return struct.pack("<I", STRING) + text(item)
    bodies = [value(element) for element in item]
    kind = struct.pack("<I", INT32) if isinstance(item[0], int) else bodies[0][:4]  # as readers expect of token types
    return struct.pack("<I", ARRAY) + kind + struct.pack("<Q", len(bodies)) + b"".join(body[4:] for body in bodies)


def quantised(array: numpy.ndarray) -> bytes:
    """Q8_0: blocks of 32 values, a half-precision scale (largest magnitude / 127) and 32 signed bytes each."""
    blocks = array.astype(numpy.float32).reshape(-1, BLOCK)
    scale = numpy.abs(blocks).max(1, keepdims=True) / 127
    inverse = numpy.divide(1, scale, out=numpy.zeros_like(scale), where=scale != 0)
    whole = numpy.rint(blocks * inverse).astype(numpy.int8)
    return numpy.concatenate((scale.astype(numpy.float16).view(numpy.int8), whole), axis=1).tobytes()


class Writer:
    """Collects metadata and tensors, and writes them at once: beside, synced, renamed."""

    def __init__(self) -> None:
        self.metadata: dict[str, object] = {}
        self.tensors: list[tuple[str, tuple[int, ...], int, bytes]] = []

    def add(self, name: str, array: numpy.ndarray, kind: int = F32) -> None:
        """array: rows last, as the kernels read them; GGUF states the sizes the other way round."""
        if kind == Q8_0 and array.shape[-1] % BLOCK:
            raise ValueError(f"{name}: rows of {array.shape[-1]} values are no whole blocks of Q8_0")
        data = quantised(array) if kind == Q8_0 else array.astype({F32: "<f4", F16: "<f2"}[kind]).tobytes()
        self.tensors.append((name, array.shape[::-1], kind, data))

    def write(self, path: Path) -> None:
        head = b"GGUF" + struct.pack("<IQQ", 3, len(self.tensors), len(self.metadata))
        head += b"".join(text(key) + value(item) for key, item in self.metadata.items())
        offset = 0
        for name, sizes, kind, data in self.tensors:
            head += text(name) + struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, kind, offset)
            offset += len(data) + -len(data) % ALIGNMENT
        beside = path.with_suffix(".new")
        with open(beside, "wb") as file:
            file.write(head + bytes(-len(head) % ALIGNMENT))
            for *_, data in self.tensors:
                file.write(data + bytes(-len(data) % ALIGNMENT))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)


class Reader:
    """Reads back what Writer writes; not a reader of strangers' files."""

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        self.place = 4
        version, tensors, pairs = self.take("<IQQ")
        if self.data[:4] != b"GGUF" or version != 3:
            raise ValueError(f"{path}: not a GGUF file of version 3")
        self.metadata = {self.text(): self.value(*self.take("<I")) for _ in range(pairs)}
        infos = [self.info() for _ in range(tensors)]
        self.start = self.place + -self.place % ALIGNMENT
        self.tensors = {name: self.array(sizes, kind, offset) for name, sizes, kind, offset in infos}

    def take(self, form: str) -> tuple:
        found = struct.unpack_from(form, self.data, self.place)
        self.place += struct.calcsize(form)
        return found

    def text(self) -> str:
        (length,) = self.take("<Q")
        self.place += length
        return self.data[self.place - length : self.place].decode()

    def value(self, kind: int):
        if kind == STRING:
            return self.text()
        if kind == ARRAY:
            element, count = self.take("<IQ")
            return [self.value(element) for _ in range(count)]
        return self.take({UINT32: "<I", INT32: "<i", FLOAT32: "<f", BOOL: "<?"}[kind])[0]

    def info(self) -> tuple[str, tuple[int, ...], int, int]:
        name = self.text()
        (dimensions,) = self.take("<I")
        sizes = self.take(f"<{dimensions}Q")
        return name, sizes[::-1], *self.take("<IQ")

    def array(self, sizes: tuple[int, ...], kind: int, offset: int) -> numpy.ndarray:
        """Rows last, in float32."""
        count, start = int(numpy.prod(sizes)), self.start + offset
        if kind in (F32, F16):
            plain = numpy.frombuffer(self.data, {F32: "<f4", F16: "<f2"}[kind], count, start)
            return plain.astype(numpy.float32).reshape(sizes)
        blocks = numpy.frombuffer(self.data, numpy.int8, count // BLOCK * (BLOCK + 2), start).reshape(-1, BLOCK + 2)
        scale = blocks[:, :2].copy().view(numpy.float16).astype(numpy.float32)
        return (blocks[:, 2:] * scale).reshape(sizes)
