"""Has PyTorch's exporters write models, with the inputs and outputs of each: NAME.onnx and NAME.json.

    exporters.py FOLDER
"""

from __future__ import annotations

import importlib.util
import json
import sys
import warnings
from pathlib import Path

import torch
from torch import nn


class Recurrent(nn.Module):
    """Two layers in both directions, and the mean of what they give."""

    def __init__(self, kind: type[nn.RNNBase]) -> None:
        super().__init__()
        self.layers = kind(3, 4, num_layers=2, bidirectional=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns the mean over time."""
        return self.layers(x)[0].mean(0)


class Upsampling(nn.Module):
    """A transposed convolution, normalizations, padding, and both ways of interpolating."""

    def __init__(self) -> None:
        super().__init__()
        self.widen = nn.ConvTranspose2d(2, 3, 3, stride=2, padding=1, output_padding=1)
        self.normalize = nn.Sequential(nn.GroupNorm(3, 3), nn.InstanceNorm2d(3, affine=True))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns a picture of another size."""
        y = self.normalize(self.widen(x))
        wide = nn.functional.interpolate(y, scale_factor=2, mode="bilinear", align_corners=False)
        padded = nn.functional.pad(wide, (1, 2, 0, 1), mode="reflect")
        return nn.functional.interpolate(padded, size=(5, 7), mode="nearest") + y[:, :, :5, :7].clamp(-1, 1)


class Language(nn.Module):
    """An embedding, attention behind a mask, and scores of words."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.norm = nn.Embedding(7, 4), nn.LayerNorm(4)
        self.scores = nn.Linear(4, 7, bias=False)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        """Returns a score for each word."""
        x = self.norm(self.embedding(words))
        mask = torch.tril(torch.ones(words.shape[1], words.shape[1], dtype=torch.bool))
        weights = (x @ x.transpose(1, 2)).masked_fill(~mask, float("-inf")).softmax(-1)
        return self.scores(weights @ x)


class Mixture(nn.Module):
    """Operators of many kinds, one after the other."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns numbers that depend on all of them."""
        y = torch.einsum("bij,bkj->bik", x, x)
        largest = torch.topk(torch.cumsum(y, 1), 2, dim=2).values
        chosen = torch.where(largest > 0, largest.abs().sqrt(), torch.exp(largest))
        total = torch.logsumexp(chosen, 2)
        stacked = torch.stack([total, total**2, total.sigmoid()], -1)
        rest = torch.triu(y).sum((1, 2), keepdim=True)[:, :, 0]
        places = x.argmax(2).float().sum(1, keepdim=True)
        return (stacked.std(-1) + stacked.prod(-1) + rest + places).roll(1, 0)


def convolutional() -> nn.Module:
    """Returns a classifier of pictures."""
    return nn.Sequential(
        nn.Conv2d(3, 4, 3, padding=1, stride=2),
        nn.BatchNorm2d(4),
        nn.SiLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(4, 4, 3, groups=2, padding=1),
        nn.GELU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(4, 5),
        nn.LogSoftmax(-1),
    )


def main() -> None:
    """Writes each model by each exporter that is installed."""
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    folder = Path(sys.argv[1])
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    models: dict[str, tuple[nn.Module, torch.Tensor]] = {
        "convolutional": (convolutional(), torch.randn(2, 3, 8, 8)),
        "transformer": (nn.Sequential(layer), torch.randn(2, 3, 8)),
        "lstm": (Recurrent(nn.LSTM), torch.randn(4, 2, 3)),
        "gru": (Recurrent(nn.GRU), torch.randn(4, 2, 3)),
        "rnn": (Recurrent(nn.RNN), torch.randn(4, 2, 3)),
        "upsampling": (Upsampling(), torch.randn(1, 2, 3, 4)),
        "language": (Language(), torch.tensor([[1, 2, 0, 6]])),
        "mixture": (Mixture(), torch.randn(2, 4, 3)),
    }
    exporters = [False, *([True] if importlib.util.find_spec("onnxscript") else [])]
    for name, (model, x) in models.items():
        model.eval()
        numbers = {"x": x.double().flatten().tolist(), "y": model(x).detach().double().flatten().tolist()}
        for dynamo in exporters:
            title = f"{name}_{'dynamo' if dynamo else 'script'}"
            path = str(folder / f"{title}.onnx")
            torch.onnx.export(model, (x,), path, input_names=["x"], opset_version=18, dynamo=dynamo)
            (folder / f"{title}.json").write_text(json.dumps(numbers))


if __name__ == "__main__":
    main()
