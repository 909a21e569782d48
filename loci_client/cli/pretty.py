"""Progress on a terminal. The only importer of rich, which costs 60 ms."""

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from loci_client.wire import Body

SPINNING = None  # rich shows a bar that moves to and fro when the total is not known


class Bar:
    """One line that says what is being done, how far it is and how long it will take; gone when it ends."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[count]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task("starting", total=SPINNING, count="")
        self._stage: tuple[str, str] = ("", "")

    def __enter__(self) -> "Bar":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def update(self, body: Body) -> None:
        """Shows one progress message; a new stage or scope starts its own clock."""
        stage = (str(body.get("scope") or ""), str(body.get("stage") or ""))
        done, total = body.get("done") or 0, body.get("total") or None
        if stage != self._stage:
            self._stage = stage
            self._progress.reset(self._task, total=total)
        count = f"{done}/{total} {body.get('unit') or ''}".rstrip() if total else ""
        title = escape(" ".join(part for part in stage if part))
        self._progress.update(self._task, description=title, completed=done, total=total, count=count)
