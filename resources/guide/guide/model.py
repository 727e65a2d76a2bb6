# SPDX-License-Identifier: Apache-2.0
"""The guide's network: SmallThinker's architecture at a small size, written for training on a processor.

Pre-attention router, fine-grained ReGLU experts, every fourth layer without positions and with full attention, the
others with rotary positions and a sliding window. Matrices multiply in bfloat16 with float32 masters; the residual
stream, the norms, the router and the softmaxes stay in float32.
"""

from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Shape:
    """Sizes of the network; what the GGUF file's metadata say."""

    vocabulary: int = 4096
    width: int = 256
    layers: int = 8
    heads: int = 4
    key_value_heads: int = 2
    head_size: int = 64
    experts: int = 16
    experts_used: int = 2
    expert_width: int = 96
    window: int = 64
    context: int = 1024
    rope_theta: float = 10000.0
    epsilon: float = 1e-6

    def is_global(self, layer: int) -> bool:
        """Full attention without positions: every fourth layer, the first among them."""
        return layer % 4 == 0

    def as_dict(self) -> dict:
        return asdict(self)


class ExpertPlan:
    """Which rows of the sorted choices belong to which expert.

    Each expert's rows are filled up to a multiple of `STEP` with copies of token 0, whose results nobody reads: the matrix
    library prepares code for every new size, so sizes have to come back.
    """

    STEP = 64

    def __init__(self, chosen: Tensor, experts: int) -> None:
        """chosen [tokens, used]: the experts that each token chose."""
        flat = chosen.reshape(-1)
        counts = torch.bincount(flat, minlength=experts)
        room = (counts + self.STEP - 1).div(self.STEP, rounding_mode="floor") * self.STEP
        ends = room.cumsum(0)
        starts = ends - room
        order = torch.argsort(flat, stable=True)
        sorted_experts = flat[order]
        within = torch.arange(flat.numel(), device=flat.device) - (counts.cumsum(0) - counts)[sorted_experts]
        place = within + starts[sorted_experts]
        self.rows = int(ends[-1])
        self.choice_of_row = torch.zeros(self.rows, dtype=torch.long, device=flat.device)
        self.choice_of_row[place] = order
        self.token_of_row = self.choice_of_row.div(chosen.shape[1], rounding_mode="floor")
        self.row_of_choice = torch.empty_like(order)
        self.row_of_choice[order] = place
        self.is_filler = torch.ones(self.rows, dtype=torch.bool, device=flat.device)
        self.is_filler[place] = False
        self.bounds = list(zip(starts.tolist(), ends.tolist()))
        self.hidden = None  # [rows, neurons], once the experts have computed

    def active_share(self) -> float:
        """Share of the neurons that let something through."""
        return float((self.hidden[~self.is_filler] != 0).float().mean())


class ExpertProducts(torch.autograd.Function):
    """All experts of a layer over the tokens that chose them.

    Tokens are sorted by expert, so that each expert is three plain matrix products. Both directions gather and never
    scatter: a scatter with sums is an order of magnitude slower here.
    """

    @staticmethod
    def forward(context, states, weights, plan, gate_up, down, pressure):
        """states [tokens, width] bf16, weights [tokens, used], gate_up [experts, width, 2f], down [experts, f, width]."""
        rows = states.index_select(0, plan.token_of_row)
        both = rows.new_empty(plan.rows, gate_up.shape[2])
        for expert, (start, end) in enumerate(plan.bounds):
            torch.mm(rows[start:end], gate_up[expert], out=both[start:end])
        gate, up = both.chunk(2, dim=1)
        hidden = torch.relu(gate).mul_(up)
        plan.hidden = hidden
        results = torch.empty_like(rows)
        for expert, (start, end) in enumerate(plan.bounds):
            torch.mm(hidden[start:end], down[expert], out=results[start:end])
        chosen = results.index_select(0, plan.row_of_choice).view(*weights.shape, down.shape[2])
        context.save_for_backward(rows, both, hidden, chosen, weights, gate_up, down)
        context.plan, context.pressure = plan, pressure
        return (chosen * weights.to(rows.dtype).unsqueeze(2)).sum(1)

    @staticmethod
    def backward(context, gradient):
        rows, both, hidden, chosen, weights, gate_up, down = context.saved_tensors
        plan, used = context.plan, weights.shape[1]
        to_weights = (chosen * gradient.unsqueeze(1)).sum(2).float()
        share = weights.reshape(-1).to(gradient.dtype)[plan.choice_of_row].masked_fill_(plan.is_filler, 0).unsqueeze(1)
        to_results = gradient.index_select(0, plan.token_of_row).mul_(share)
        to_hidden = torch.empty_like(hidden)
        to_down = torch.empty_like(down)
        for expert, (start, end) in enumerate(plan.bounds):
            torch.mm(to_results[start:end], down[expert].t(), out=to_hidden[start:end])
            torch.mm(hidden[start:end].t(), to_results[start:end], out=to_down[expert])
        gate, up = both.chunk(2, dim=1)
        to_both = torch.empty_like(both)
        to_gate, to_up = to_both.chunk(2, dim=1)
        torch.mul(to_hidden, torch.relu(gate), out=to_up)
        # An L1 pressure on what passes the gates keeps most neurons off.
        torch.mul(to_hidden, up, out=to_gate).add_((share != 0).to(share.dtype), alpha=context.pressure).mul_(gate > 0)
        to_rows = torch.empty_like(rows)
        to_gate_up = torch.empty_like(gate_up)
        for expert, (start, end) in enumerate(plan.bounds):
            torch.mm(to_both[start:end], gate_up[expert].t(), out=to_rows[start:end])
            torch.mm(rows[start:end].t(), to_both[start:end], out=to_gate_up[expert])
        to_states = to_rows.index_select(0, plan.row_of_choice).view(-1, used, rows.shape[1]).sum(1)
        return to_states, to_weights, None, to_gate_up, to_down, None


class ScaledNorm(torch.autograd.Function):
    """x / rms(x) * weight, x [.., width] float32 -> bfloat16; by hand, since each pass over x costs as much as the products."""

    @staticmethod
    def forward(context, x, weight, epsilon):
        scale = torch.rsqrt(torch.linalg.vector_norm(x, dim=-1, keepdim=True).square_().div_(x.shape[-1]).add_(epsilon))
        normed = (x * scale).bfloat16()
        context.save_for_backward(normed, weight, scale)
        return normed * weight.bfloat16()

    @staticmethod
    def backward(context, gradient):
        normed, weight, scale = context.saved_tensors
        flat = gradient * normed
        to_weight = flat.reshape(-1, flat.shape[-1]).sum(0).float()
        scaled = gradient * weight.bfloat16()
        along = torch.einsum("...i,...i->...", scaled, normed).unsqueeze(-1) / normed.shape[-1]
        return scaled.sub_(normed * along).float().mul_(scale), to_weight, None


class Norm(nn.Module):
    """x / rms(x), times learned weights."""

    def __init__(self, width: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        return ScaledNorm.apply(x, self.weight, self.epsilon)


def product(x: Tensor, matrix: Tensor) -> Tensor:
    """x [.., in] times matrix [out, in], transposed, in bfloat16."""
    return functional.linear(x.bfloat16(), matrix.bfloat16())


class Attention(nn.Module):
    """Grouped-query attention; with a window in blocks of the window's size, each seeing itself and the one before."""

    def __init__(self, shape: Shape, layer: int) -> None:
        super().__init__()
        self.shape, self.is_global = shape, shape.is_global(layer)
        queries, keys = shape.heads * shape.head_size, shape.key_value_heads * shape.head_size
        self.query = nn.Parameter(torch.empty(queries, shape.width))
        self.key = nn.Parameter(torch.empty(keys, shape.width))
        self.value = nn.Parameter(torch.empty(keys, shape.width))
        self.output = nn.Parameter(torch.empty(shape.width, queries))

    def forward(self, x: Tensor, places: "Places") -> Tensor:
        """x [batch, length, width] -> the same shape, bf16."""
        shape, (batch, length, _) = self.shape, x.shape
        groups, group = shape.key_value_heads, shape.heads // shape.key_value_heads
        together = product(x, torch.cat((self.query, self.key, self.value)))
        together = together.view(batch, length, shape.heads + 2 * groups, shape.head_size)
        query, key, value = together.split((shape.heads, groups, groups), dim=2)
        if not self.is_global:
            query, key = places.rotate(query), places.rotate(key)
        query = query * shape.head_size**-0.5
        span = length if self.is_global else shape.window
        blocks = length // span
        # [batch, blocks, groups, group * span, head]: the heads of a group share their keys.
        query = query.reshape(batch, blocks, span, groups, group, shape.head_size).permute(0, 1, 3, 4, 2, 5)
        query = query.reshape(batch * blocks * groups, group * span, shape.head_size)
        key, value = self.blocks_of(key, span), self.blocks_of(value, span)
        scores = torch.bmm(query, key.transpose(1, 2)).view(batch, blocks, groups, group, span, -1)
        hidden = (places.hidden_globally if self.is_global else places.hidden_in_window).view(batch, blocks, 1, 1, span, -1)
        shares = torch.softmax(scores + hidden, dim=-1)
        mixed = torch.bmm(shares.view(batch * blocks * groups, group * span, -1), value)
        mixed = mixed.view(batch, blocks, groups, group, span, shape.head_size).permute(0, 1, 4, 2, 3, 5)
        return product(mixed.reshape(batch, length, -1), self.output)

    def blocks_of(self, x: Tensor, span: int) -> Tensor:
        """[batch, length, groups, head] -> [batch * blocks * groups, keys, head]; in a window with the block before."""
        batch, length, groups, head = x.shape
        x = x.reshape(batch, length // span, span, groups, head)
        if not self.is_global:
            before = functional.pad(x, (0, 0, 0, 0, 0, 0, 1, 0))[:, :-1]
            x = torch.cat((before, x), dim=2)
        return x.permute(0, 1, 3, 2, 4).reshape(-1, x.shape[2], head)


class Places:
    """The rotations and the attention mask that a batch's positions and documents give."""

    def __init__(self, shape: Shape, documents: Tensor, positions: Tensor) -> None:
        """documents [batch, length]: a number per document; positions [batch, length]: within its document."""
        (batch, length), device = documents.shape, documents.device
        place = torch.arange(length, device=device)
        later = place.unsqueeze(0) > place.unsqueeze(1)
        self.hidden_globally = self.penalty((documents.unsqueeze(2) != documents.unsqueeze(1)) | later)
        span = min(shape.window, length)
        blocked = documents.view(batch, length // span, span)
        keys = torch.cat((functional.pad(blocked, (0, 0, 1, 0), value=-1)[:, :-1], blocked), dim=2)
        offset = torch.arange(span, device=device).unsqueeze(1) + span - torch.arange(2 * span, device=device).unsqueeze(0)
        outside = (offset < 0) | (offset >= span)
        self.hidden_in_window = self.penalty((blocked.unsqueeze(3) != keys.unsqueeze(2)) | outside)
        half = shape.head_size // 2
        angles = positions.unsqueeze(-1) * shape.rope_theta ** (-torch.arange(half, device=device) / half)
        self.cosine = angles.cos().bfloat16().unsqueeze(2)
        self.sine = angles.sin().bfloat16().unsqueeze(2)

    @staticmethod
    def penalty(hidden: Tensor) -> Tensor:
        """Returns the values to add to scores: 0, or so low a value that the share becomes 0."""
        return torch.zeros(hidden.shape, dtype=torch.bfloat16, device=hidden.device).masked_fill_(hidden, -1e9)

    def rotate(self, x: Tensor) -> Tensor:
        """x [batch, length, heads, head]: turns the pairs (i, i + head / 2)."""
        first, second = x.chunk(2, dim=-1)
        return torch.cat((first * self.cosine - second * self.sine, second * self.cosine + first * self.sine), dim=-1)


class Layer(nn.Module):
    """One layer: router on the layer's input, attention, experts."""

    def __init__(self, shape: Shape, layer: int) -> None:
        super().__init__()
        self.shape = shape
        self.attention_norm = Norm(shape.width, shape.epsilon)
        self.attention = Attention(shape, layer)
        self.router = nn.Parameter(torch.empty(shape.experts, shape.width))
        self.expert_norm = Norm(shape.width, shape.epsilon)
        self.gate_up = nn.Parameter(torch.empty(shape.experts, shape.width, 2 * shape.expert_width))
        self.down = nn.Parameter(torch.empty(shape.experts, shape.expert_width, shape.width))
        self.last_plan: ExpertPlan | None = None

    def forward(self, x: Tensor, places: Places, pressure: float) -> tuple[Tensor, Tensor, Tensor]:
        """x [batch, length, width] -> the same, the router's scores [tokens, experts], the experts chosen [tokens, used]."""
        flat = x.view(-1, self.shape.width)
        scores = functional.linear(flat, self.router)
        best, chosen = scores.topk(self.shape.experts_used, dim=-1)
        weights = torch.sigmoid(best)
        weights = weights / weights.sum(-1, keepdim=True)
        x = x + self.attention(self.attention_norm(x), places)
        states = self.expert_norm(x).view(-1, self.shape.width)
        plan = ExpertPlan(chosen, self.shape.experts)
        mixed = ExpertProducts.apply(states, weights, plan, self.gate_up.bfloat16(), self.down.bfloat16(), pressure)
        self.last_plan = plan
        return x + mixed.view_as(x), scores, chosen


class Guide(nn.Module):
    """The whole network; the head is the embedding's transpose."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Parameter(torch.empty(shape.vocabulary, shape.width))
        self.layers = nn.ModuleList(Layer(shape, layer) for layer in range(shape.layers))
        self.output_norm = Norm(shape.width, shape.epsilon)
        self.initialise()

    def initialise(self) -> None:
        """Normal weights; what writes into the residual stream starts smaller by the root of the depth."""
        for name, parameter in self.named_parameters():
            if parameter.dim() < 2:
                continue
            deviation = 0.02 if name == "embedding" else self.shape.width**-0.5
            if name.endswith(("attention.output", "down")):
                deviation *= (2 * self.shape.layers) ** -0.5
            nn.init.normal_(parameter, std=deviation)

    def forward(self, tokens: Tensor, places: Places, pressure: float = 0.0) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        """tokens [batch, length] -> final states [tokens, width], and each layer's router scores and choices."""
        x = functional.embedding(tokens, self.embedding)
        scores, chosen = [], []
        for layer in self.layers:
            x, layer_scores, layer_chosen = layer(x, places, pressure)
            scores.append(layer_scores)
            chosen.append(layer_chosen)
        return self.output_norm(x).view(-1, self.shape.width), scores, chosen

    def active_share(self) -> float:
        """Share of the chosen experts' neurons that were on in the last forward pass."""
        return sum(layer.last_plan.active_share() for layer in self.layers) / len(self.layers)


class HeadLoss(torch.autograd.Function):
    """Cross entropy of the head over chosen rows, gradients included, a slice at a time: the logits are never kept."""

    SLICE = 1024

    @staticmethod
    def forward(context, states, head, targets):
        """states [rows, width] bf16, head [vocabulary, width], targets [rows] -> the mean loss."""
        low_head = head.bfloat16()
        to_states = torch.empty_like(states)
        to_head = torch.zeros_like(head)
        loss, count = 0.0, states.shape[0]
        for start in range(0, count, HeadLoss.SLICE):
            rows = slice(start, start + HeadLoss.SLICE)
            shares = torch.softmax(torch.mm(states[rows], low_head.t()), dim=1)
            wanted = targets[rows].unsqueeze(1)
            right = shares.gather(1, wanted)
            loss -= float(right.float().clamp_min(1e-30).log().sum())
            shares.scatter_(1, wanted, right - 1)
            torch.mm(shares, low_head, out=to_states[rows])
            to_head += torch.mm(shares.t(), states[rows])
        context.save_for_backward(to_states.div_(count), to_head.div_(count))
        return head.new_tensor(loss / count)

    @staticmethod
    def backward(context, gradient):
        to_states, to_head = context.saved_tensors
        return gradient * to_states, gradient * to_head, None
