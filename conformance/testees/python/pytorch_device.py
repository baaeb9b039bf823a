"""The device that PyTorch computes on: the CPU, until `choose` takes another."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import torch

# The chosen device; None is the CPU.
here: Optional[str] = None


def choose(name: str) -> None:
    """Makes tensors on a device from now on; a RuntimeError says why it cannot."""
    global here
    if name == "cpu":
        return
    try:
        # Every engine is asked in float64 too, and answers are read back.
        torch.ones((), dtype=torch.float64, device=name).item()
    except (AssertionError, RuntimeError, TypeError) as error:
        said = str(error).partition("\n")[0]
        raise RuntimeError(f"PyTorch cannot compute on {name}: {said}") from error
    here = name
    torch.set_default_device(name)
    # By default cuDNN rounds the operands of a float32 convolution to 10 bits.
    torch.backends.cudnn.allow_tf32 = False


def there(tensor: torch.Tensor) -> torch.Tensor:
    """Returns a tensor on the device; on the CPU it is the same one."""
    return tensor if here is None else tensor.to(here)


def tensor_of(array: np.ndarray) -> torch.Tensor:
    """Returns NumPy's array as a tensor on the device; on the CPU they share memory."""
    return there(torch.from_numpy(array))


def generator() -> Any:
    """Returns the module whose `get_rng_state` and `set_rng_state` are those of the device's generator."""
    return torch if here is None else torch.get_device_module(here)
