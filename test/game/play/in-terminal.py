"""Runs a command in a terminal of its own. What is typed comes from standard input, what it writes goes to standard output.
Usage: in-terminal.py COLUMNS COMMAND [ARGUMENT ...]"""

import fcntl, os, pty, struct, sys, termios, threading

columns, command = int(sys.argv[1]), sys.argv[2:]
ready, go = os.pipe()
pid, terminal = pty.fork()
if pid == 0:
    os.read(ready, 1)  # the terminal has its size
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
os.write(go, b"!")


def copy(source, target):
    """Until the source ends."""
    while True:
        try:
            data = os.read(source, 65536)
        except OSError:  # the command has ended
            return
        if not data:
            return
        os.write(target, data)


threading.Thread(target=copy, args=(0, terminal), daemon=True).start()
copy(terminal, 1)
_, status = os.waitpid(pid, 0)
os._exit(os.waitstatus_to_exitcode(status) & 0xFF)  # without the thread, which still reads
