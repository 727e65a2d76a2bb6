# SPDX-License-Identifier: Apache-2.0
"""Muon (Keller Jordan, 2024): momentum whose matrix has its singular values brought near to one.

Rare facts are learned sooner than with AdamW, because no direction of a matrix moves much less than the others.
"""

from collections import defaultdict

import torch
from torch import Tensor

COEFFICIENTS = (3.4445, -4.7750, 2.0315)  # the quintic polynomial that, repeated, pushes singular values towards 1
REPETITIONS = 5


def orthogonal(matrices: Tensor) -> Tensor:
    """[count, rows, columns] -> nearly orthogonal matrices with the same singular vectors; Newton-Schulz in bfloat16."""
    a, b, c = COEFFICIENTS
    x = matrices.bfloat16()
    tall = x.shape[1] > x.shape[2]
    if tall:
        x = x.transpose(1, 2).contiguous()
    x = x / (x.float().flatten(1).norm(dim=1).view(-1, 1, 1) + 1e-7).bfloat16()
    for _ in range(REPETITIONS):
        squared = torch.bmm(x, x.transpose(1, 2))
        x = a * x + torch.bmm(b * squared + c * torch.bmm(squared, squared), x)
    return x.transpose(1, 2) if tall else x


class Muon(torch.optim.Optimizer):
    """For matrices, or stacks of them; parameters of one shape are worked on together."""

    def __init__(self, parameters, lr: float, momentum: float = 0.95, weight_decay: float = 0.0) -> None:
        super().__init__(parameters, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            alike = defaultdict(list)
            for parameter in group["params"]:
                alike[parameter.shape].append(parameter)
            for parameters in alike.values():
                self.step_alike(parameters, group)

    def step_alike(self, parameters: list, group: dict) -> None:
        directions = []
        for parameter in parameters:
            state = self.state[parameter]
            if not state:
                state["momentum"] = torch.zeros_like(parameter)
            momentum = state["momentum"].mul_(group["momentum"]).add_(parameter.grad)
            direction = parameter.grad + group["momentum"] * momentum
            directions.append(direction.view(-1, *parameter.shape[-2:]))
        turned = orthogonal(torch.cat(directions)).float().chunk(len(parameters))
        rows, columns = parameters[0].shape[-2:]
        scale = max(1.0, rows / columns) ** 0.5
        for parameter, update in zip(parameters, turned):
            parameter.mul_(1 - group["lr"] * group["weight_decay"])
            parameter.add_(update.reshape(parameter.shape), alpha=-group["lr"] * scale)
