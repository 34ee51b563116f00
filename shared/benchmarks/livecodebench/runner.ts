/**
 * The program that runs a model's program on the inputs of a problem, in Python 3.10 or later. It follows the official runner's order of events and
 * its quirks (reference 1.6), and knows no expected output: per test it says what was written or returned, and the comparison happens outside.
 *
 * It is given to the interpreter as an argument, so that there is no file to write over. Its one input is JSON on standard input: `nonce`, `program`,
 * `fn_name`, `inputs`, `seconds` a test. What it says goes to the standard output it was started with, of which the program sees nothing: lines that
 * begin with the nonce, each a JSON list. After `ready` comes one list a test, up to the first that breaks, then `end`; where they stop before, the
 * process died.
 */
export const runner = `
import ast, builtins, faulthandler, io, json, os, shutil, signal, subprocess, sys, time
from types import ModuleType

STARS = 'string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json builtins typing'.split()
PREAMBLE = ''.join(f'from {name} import *\\n' for name in STARS)
PREAMBLE += ''.join(f'import {name}\\n' for name in STARS if name not in ('builtins', 'typing'))
PREAMBLE += 'sys.setrecursionlimit(50000)\\n'
# What cannot be imported once the guard is up, or would be slow under the alarm; where a program does not name it, nothing is different without it.
NUMERIC = ('numpy', 'scipy', 'pandas', 'sympy', 'networkx', 'sklearn', 'importlib', '__import__')
GONE = '''kill system putenv remove removedirs rmdir fchdir setuid fork forkpty killpg rename renames truncate replace unlink fchmod fchown chmod chown
chroot lchflags lchmod lchown getcwd chdir'''.split()
DEEPEST, MOST_NODES = 200, 10_000_000


class TimeoutException(Exception):
    pass


class Broken(Exception):
    """Ends the whole sample as an error, whatever its earlier tests came to."""


def on_alarm(signum, frame):
    print('the time of this test is up')
    raise TimeoutException


def guard():
    os.environ['OMP_NUM_THREADS'] = '1'
    for name in GONE:
        setattr(os, name, None)
    shutil.rmtree = shutil.move = shutil.chown = None
    subprocess.Popen = None
    builtins.quit = builtins.help = None
    for name in ('ipdb', 'joblib', 'resource', 'psutil', 'tkinter'):
        sys.modules[name] = None


class Buffer:
    def __init__(self, text):
        self.data = text.encode('utf-8')

    def read(self, *args):
        return self.data

    def readline(self, *args):
        return self.data.split(b'\\n')[0] + b'\\n'


class Stdin:
    def __init__(self, text):
        self.text = text
        self.lines = io.StringIO(text)
        self.buffer = Buffer(text)

    def read(self, *args):
        return self.text

    def readline(self, *args):
        return self.lines.readline(*args)

    def readlines(self, *args):
        return self.text.split('\\n')

    def __getattr__(self, name):
        return getattr(self.lines, name)


def call_with_input(function, text):
    """Calls with a stand-in for standard input; whoever holds the real one reads lines without their ends."""
    real, real_open, opened = sys.stdin, builtins.open, []
    stdin = Stdin(text)
    lines = iter(text.split('\\n'))

    def open_input(*args, **named):
        if not opened:
            from unittest.mock import mock_open
            opened.append(mock_open(read_data=text))
        return opened[0](*args, **named)

    real.read = lambda *args: text
    real.readlines = lambda *args: text.split('\\n')
    real.readline = lambda *args: next(lines)
    sys.stdin, builtins.open = stdin, open_input
    try:
        return function()
    except SystemExit:
        return None
    finally:
        sys.stdin, builtins.open = real, real_open
        del real.read, real.readlines, real.readline


def without_main_guard(program):
    try:
        body = ast.parse(program).body
        last = body[-1]
        if isinstance(last, ast.If) and ast.unparse(last.test).strip() == "__name__ == '__main__'":
            return ast.unparse(body[:-1]) + '\\n' + ast.unparse(last.body)
    except BaseException:
        pass
    return program


def as_function(program):
    """Imports first, all other statements inside a function that is called once a test; what cannot be parsed stays as it is."""
    try:
        body = ast.parse(program).body
        imports = [one for one in body if isinstance(one, (ast.Import, ast.ImportFrom))]
        function = ast.parse('def wrapped_function(): pass').body[0]
        function.body = [one for one in body if not isinstance(one, (ast.Import, ast.ImportFrom))]
        return PREAMBLE + '\\n' + ast.unparse(imports) + '\\n' + ast.unparse(function)
    except Exception:
        return program


def load(code, name, seconds):
    signal.alarm(seconds)
    try:
        module = ModuleType('tmp_sol', '')
        exec(code, module.__dict__)
        made = module.Solution() if 'class Solution' in code else module
    finally:
        signal.alarm(0)
    try:
        return getattr(made, name)
    except Exception:
        raise Broken(f'there is no {name}')


def told(error):
    """What is said of an error, and the official code for it."""
    text = repr(error)
    return [-3 if 'timeoutexception' in text.lower() else -4, text[:1000]]


def run_stdin(job, say):
    seconds = job['seconds']
    function = load(as_function(without_main_guard(job['program'])), 'wrapped_function', seconds)
    for text in job['inputs']:
        signal.alarm(seconds)
        faulthandler.enable()
        signal.alarm(seconds)
        before, sys.stdout = sys.stdout, io.StringIO()
        written = sys.stdout
        written.close = lambda one: 1
        error = None
        start = time.perf_counter()
        try:
            call_with_input(function, text)
            signal.alarm(0)
        except Exception as raised:
            signal.alarm(0)
            error = told(raised)
        finally:
            signal.alarm(0)
            faulthandler.disable()
        took = time.perf_counter() - start
        output = written.getvalue()
        sys.stdout = before
        if error:
            return say('error', *error, took)
        say('wrote', output, took)


def run_function(job, say):
    seconds = job['seconds']
    method = load(PREAMBLE + '\\n\\n' + job['program'], job['fn_name'], seconds)
    inputs = [[json.loads(line) for line in text.split('\\n')] for text in job['inputs']]
    for args in inputs:
        signal.alarm(seconds)
        faulthandler.enable()
        error = None
        start = time.perf_counter()
        try:
            value = method(*args)
            took = time.perf_counter() - start
            signal.alarm(0)
            coded = coder()(list(value) if isinstance(value, tuple) else value)
        except Exception as raised:
            signal.alarm(0)
            error = told(raised)
        finally:
            signal.alarm(0)
            faulthandler.disable()
        if error:
            return say('error', *error, time.perf_counter() - start)
        say('returned', coded, took)


def coder():
    """Writes a value so that its types can be told apart outside; what equals no JSON is named by its type."""
    numpy = sys.modules.get('numpy')
    nodes = 0

    def code(value, depth=0):
        nonlocal nodes
        nodes += 1
        if depth > DEEPEST or nodes > MOST_NODES:
            return {'x': 'value too large'}
        if value is None or value is True or value is False:
            return value
        if numpy and isinstance(value, (numpy.ndarray, numpy.generic)):
            if value.size != 1:
                return {'s': value.size}
            item = value.item()
            return {'x': 'wide number'} if isinstance(item, numpy.generic) else {'a': code(item, depth + 1)}
        if isinstance(value, int):
            return value if type(value) is int and abs(value) < 2**53 else {'i': hex(value)}
        if isinstance(value, float):
            return {'f': float.__repr__(value)}
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, list):
            return [code(one, depth + 1) for one in value]
        if isinstance(value, dict):
            return {'d': [[code(key, depth + 1), code(one, depth + 1)] for key, one in value.items()]}
        if isinstance(value, complex) and value.imag == 0:
            return {'f': float.__repr__(value.real)}
        if type(value).__module__ in ('decimal', 'fractions'):
            return {'q': [hex(part) for part in value.as_integer_ratio()]}
        return {'x': type(value).__name__}

    def whole(value):
        try:
            return code(value)
        except Exception:
            return {'x': type(value).__name__}

    return whole


def main():
    sys.set_int_max_str_digits(50000)
    job = json.loads(sys.stdin.buffer.read())
    channel, null = os.dup(1), os.open('/dev/null', os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    sys.stdin.close()
    sys.stdin = open(0, encoding='utf-8', closefd=False)
    encode, write, getpid = json.JSONEncoder().encode, os.write, os.getpid
    nonce, mine = job.pop('nonce'), os.getpid()

    def say(*frame):
        rest = memoryview(f'\\n{nonce}{encode(frame)}\\n'.encode())
        while getpid() == mine and rest:
            rest = rest[write(channel, rest):]

    say('ready', sys.version.split()[0])
    signal.signal(signal.SIGALRM, on_alarm)
    if any(name in job['program'] for name in NUMERIC):
        try:
            import numpy
        except ImportError:
            pass
    guard()
    signal.alarm(job['seconds'])
    try:
        (run_stdin if job['fn_name'] is None else run_function)(job, say)
    except Exception as error:
        signal.alarm(0)
        say('broken', ascii(str(error))[:1000])
    signal.alarm(0)
    say('end')
    os._exit(0)


main()
`
