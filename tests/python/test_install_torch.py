"""Tests of tools/install_torch.py: which installer it chooses, given pip's plan."""

import importlib.util
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]


def load_tool():
    spec = importlib.util.spec_from_file_location(
        "install_torch", REPO / "tools" / "install_torch.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = load_tool()


def report(*names):
    """Return a report as pip writes it, cut down to what the tool reads."""
    return {
        "version": "1",
        "install": [{"metadata": {"name": name, "version": "1.0"}} for name in names],
    }


CPU_PLAN = report("torch", "sympy", "networkx", "typing_extensions")
GPU_PLAN = report("torch", "sympy", "nvidia-cublas", "nvidia-cudnn-cu13", "triton")


def test_a_plan_without_gpu_libraries_goes_to_pip():
    assert tool.gpu_packages(CPU_PLAN) == []
    assert tool.choose_installer(CPU_PLAN) == "pip"


def test_a_plan_with_gpu_libraries_goes_to_uv():
    assert tool.gpu_packages(GPU_PLAN) == ["nvidia-cublas", "nvidia-cudnn-cu13", "triton"]
    assert tool.choose_installer(GPU_PLAN) == "uv"


def test_a_gpu_build_goes_to_pip_where_it_is_accepted():
    assert tool.choose_installer(GPU_PLAN, allow_gpu=True) == "pip"


def test_an_empty_plan_goes_to_pip():
    assert tool.choose_installer({"version": "1", "install": []}) == "pip"


@pytest.mark.parametrize(
    ("name", "is_gpu"),
    [
        ("nvidia-nccl-cu13", True),
        ("nvidia_nccl_cu13", True),
        ("NVIDIA.cuFFT", True),
        ("cuda-bindings", True),
        ("cuda-toolkit", True),
        ("triton", True),
        ("pytorch-triton-rocm", True),
        ("torch", False),
        ("barracuda", False),
        ("tritonclient", False),
    ],
)
def test_gpu_libraries_are_known_by_name(name, is_gpu):
    assert bool(tool.gpu_packages(report(name))) is is_gpu


@pytest.mark.parametrize(
    ("installed", "expected"),
    [
        ("2.13.0", True),
        ("2.13.0+cpu", True),
        ("2.13.0+cu130", True),
        ("2.13.1", False),
        ("2.13.0rc1", False),
        (None, False),
    ],
)
def test_an_installed_torch_of_the_pinned_version_is_kept(installed, expected):
    assert tool.is_installed("2.13.0", installed) is expected


def test_the_pin_is_read_from_the_lock_file():
    lock = "torchvision==9.9\ntorch==2.13.0 ; sys_platform == 'linux'\n"
    assert tool.pinned_version(lock) == "2.13.0"


def test_a_lock_file_without_torch_is_refused():
    with pytest.raises(SystemExit, match="torch==VERSION"):
        tool.pinned_version("numpy==2.4.6\n")


def test_the_lock_file_pins_torch_and_no_gpu_library():
    lock = (REPO / "requirements.lock").read_text(encoding="utf-8")
    assert tool.pinned_version(lock)
    names = [line.split("==")[0] for line in lock.splitlines() if "==" in line]
    assert tool.gpu_packages(report(*names)) == []
