"""Install the pinned torch into the running Python's environment, as a CPU build.

The index that pip asks may offer torch as a GPU build, which brings gigabytes of
libraries that this project does not use. So pip is first asked for its plan
(`pip install --dry-run`), which costs metadata alone:

* no GPU library in the plan: pip installs torch;
* GPU libraries in the plan: uv installs it, for it knows where CPU builds lie;
* uv fails as well: stop, and say how to go on.

Standard library only: it runs before anything else is installed.
"""

import argparse
import importlib.metadata
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Distributions that only a GPU build of torch needs.
GPU_PACKAGE = re.compile(r"^(nvidia|cuda|rocm|triton|pytorch-triton)(-|$)")
# Older versions of pip download whole wheels in a dry run.
PIP_REQUIREMENT = "pip>=24.1"

HOW_TO_GO_ON = """\
torch {version} was not installed: the package index offers it as a GPU build only
(with {packages}), and uv could not install a CPU build either.
To go on, do one of these and run the set-up again:
  * install a CPU build of torch {version} into the environment by hand:
    {python} -m pip install WHEEL_OR_INDEX_OPTIONS;
  * accept the GPU build, several gigabytes, with: make setup TORCH_GPU=1"""


def pinned_version(lock: str) -> str:
    """Return the torch version that the text of a lock file pins."""
    match = re.search(r"^torch==([^\s;#]+)", lock, re.MULTILINE)
    if match is None:
        raise SystemExit("The lock file has no line torch==VERSION.")
    return match.group(1)


def is_installed(pinned: str, installed: str | None) -> bool:
    """Say whether the installed version is the pinned one, whatever its build (+cpu)."""
    if installed is None:
        return False
    return installed == pinned or installed.split("+")[0] == pinned


def gpu_packages(report: dict) -> list[str]:
    """Return the names of the GPU libraries in a report of `pip install --report`."""
    names = {
        re.sub(r"[-_.]+", "-", item["metadata"]["name"]).lower()
        for item in report.get("install", [])
    }
    return sorted(name for name in names if GPU_PACKAGE.match(name))


def choose_installer(report: dict, *, allow_gpu: bool = False) -> str:
    """Return "pip" or "uv": which of the two installs torch, given pip's plan."""
    return "uv" if gpu_packages(report) and not allow_gpu else "pip"


def installed_version() -> str | None:
    """Return the version of the installed torch, None where there is none."""
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return None


def run(*arguments: str) -> bool:
    """Run a Python module of this environment; say whether it succeeded."""
    return subprocess.run([sys.executable, "-m", *arguments], check=False).returncode == 0


def pip_plan(requirement: str) -> dict:
    """Return pip's report of what an install of the requirement would install."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.json")
        if not run("pip", "install", "--quiet", "--dry-run", "--report", str(path), requirement):
            raise SystemExit(f"pip found no way to install {requirement}; see its message above.")
        return json.loads(path.read_text(encoding="utf-8"))


def main(argv: list[str] | None = None) -> int:
    """Install torch; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("lock", type=Path, help="the lock file that pins torch")
    parser.add_argument("--allow-gpu", action="store_true", help="accept a GPU build")
    options = parser.parse_args(argv)

    version = pinned_version(options.lock.read_text(encoding="utf-8"))
    requirement = f"torch=={version}"
    installed = installed_version()
    if is_installed(version, installed):
        print(f"torch {installed} is installed already.")
        return 0

    if not run("pip", "install", "--quiet", PIP_REQUIREMENT):
        raise SystemExit(f"{PIP_REQUIREMENT} could not be installed; see pip's message above.")
    plan = pip_plan(requirement)
    # A CPU build needs nothing that the lock file does not pin; a GPU build does.
    dependencies = [] if gpu_packages(plan) else ["--no-deps"]
    if choose_installer(plan, allow_gpu=options.allow_gpu) == "pip":
        print(f"Installing {requirement} with pip.", flush=True)
        return 0 if run("pip", "install", "--no-compile", *dependencies, requirement) else 1

    print(f"pip would install a GPU build of {requirement}; trying uv for a CPU build.", flush=True)
    uv_install = ("uv", "pip", "install", "--python", sys.executable, "--torch-backend=cpu")
    if run("pip", "install", "--quiet", "uv") and run(*uv_install, "--no-deps", requirement):
        return 0
    packages = gpu_packages(plan)
    shown = ", ".join(packages[:3]) + (", ..." if len(packages) > 3 else "")
    print(
        HOW_TO_GO_ON.format(version=version, packages=shown, python=sys.executable),
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
