"""Help texts of the commands that parse their flags by hand, and of `loci` itself."""

TOP = """\
loci: scoped memory for coding agents

  loci ask QUESTION          a cited answer from the project it belongs to
  loci route QUESTION        which project a question belongs to, and why

  loci setup [DIR...]        register, index and check everything in one pass
  loci scan DIR...           register the git repositories under directories
  loci add PATH              register one directory
  loci rm SCOPE              forget a scope and its index
  loci purge SCOPE           delete all that is stored of a scope
  loci scopes                list what is registered
  loci groups [infer]        list groups with their modes, or read owners from git again
  loci group add|rm|set      who is in a group, and what it does to a question
  loci index [SCOPE...]      bring the index up to date: only what changed is read
  loci embed                 compute missing vectors
  loci status                what the daemon does and holds
  loci doctor                what is missing or stale, and the command that fixes it
  loci uses [SCOPE]          what projects use of one another, or who uses a thing
  loci calibrate             fit to your history what a question must bring to be answered
  loci eval                  how well questions are routed on your own projects
  loci why PATH              why a file or folder is in or out
  loci config [KEY [VALUE]]  show settings, or set one
  loci completion SHELL      completion for bash, zsh or fish
  loci daemon start|stop|restart|logs

`loci COMMAND --help` explains one, with an example. Every command takes --json.
Exit status: 0 answered, 1 nothing found or abstained, 2 usage, 3 no daemon, 4 deadline, 5 internal.
"""

HELP = {
    "ask": """\
usage: loci ask [flags] QUESTION

A cited answer from the project that the question belongs to, or an abstention that says what to do.
The question needs no quotes; `-` reads it from stdin.

  --scope SCOPE    ask this scope only (may be repeated)
  --group GROUP    ask the members of this group only
  -k N             at most N files a scope (10)
  --budget N       at most N tokens of text (50-100000; 2000, on a terminal 700)
  --fast           words only, no vectors
  --sync           bring the index up to date first
  --no-sync        answer from the index as it stands
  --cwd DIR        ask as if from this directory
  --json           the whole answer as JSON

example: loci ask "how does the retry back off?"
""",
    "route": """\
usage: loci route [flags] QUESTION

Which project the question belongs to, and why.

  --explain        every signal of every scope
  --group GROUP    among the members of this group only
  --cwd DIR        ask as if from this directory
  --json           the whole route as JSON

example: loci route --explain "where is the retry limit set?"
""",
}
