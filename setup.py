"""The wheel carries the dbt project, so that an installed `ledger` builds without a clone."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PARTS = ("models", "macros", "seeds", "analysis", "tests/data", "tests/generic", "dbt_project.yml", "profiles.yml", "data")


class BuildWithProject(build_py):
    """Copies what dbt needs, and the shipped data, beside the package's modules."""

    def run(self) -> None:
        """Build as usual, then lay the project into debate_ledger/project."""
        super().run()
        if getattr(self, "editable_mode", False):
            return
        target = Path(self.build_lib) / "debate_ledger" / "project"
        if target.exists():
            shutil.rmtree(target)
        for part in PARTS:
            source, copy = Path(part), target / part
            copy.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
            else:
                shutil.copy(source, copy)


setup(cmdclass={"build_py": BuildWithProject})
