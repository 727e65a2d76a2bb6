# SPDX-License-Identifier: Apache-2.0
"""Rows of the corpus as the network takes them."""

import torch
from torch.nn import functional

from .corpus import Row
from .model import Places, Shape


class Batch:
    """Rows as tensors, with what the network is to say after each token."""

    def __init__(self, made: list[Row], shape: Shape, device: torch.device) -> None:
        self.tokens = torch.tensor([row.tokens for row in made], device=device)
        documents = torch.tensor([row.documents for row in made], dtype=torch.int32, device=device)
        positions = torch.tensor([row.positions for row in made], dtype=torch.float32, device=device)
        learn = torch.tensor([row.learn for row in made], device=device)
        follows = documents[:, 1:] == documents[:, :-1]
        wanted = functional.pad(learn[:, 1:] & follows, (0, 1)).reshape(-1)
        self.places = Places(shape, documents, positions)
        self.rows = wanted.nonzero().squeeze(1)
        self.targets = self.tokens.reshape(-1)[1:].index_select(0, self.rows)
