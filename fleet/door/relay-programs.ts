/**
 * The relay in Python and in Perl, of which nearly every image of Linux has one: it listens at the machine's own loopback, and speaks of each connection over
 * its standard input and output. A frame is the connection's number and a length, four bytes each with the highest first, and so many bytes; none of them
 * is the end of that direction. Frame 0 is told once: the port. What a client does not take within a minute ends its connection. It ends with its input.
 */
const python = `
import os, select, socket, struct
server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
server.bind(("127.0.0.1", 0))
server.listen(64)
def tell(number, data):
    frame = struct.pack(">II", number, len(data)) + data
    while frame:
        frame = frame[os.write(1, frame):]
tell(0, str(server.getsockname()[1]).encode())
connections, numbers, last, got = {}, {}, 0, b""
def leave(number):
    one = connections.pop(number, None)
    if one is not None:
        numbers.pop(one, None)
        one.close()
while True:
    for one in select.select([0, server] + list(numbers), [], [])[0]:
        if one is server:
            one, _ = server.accept()
            one.settimeout(60)
            last += 1
            connections[last], numbers[one] = one, last
        elif one == 0:
            part = os.read(0, 65536)
            if not part:
                raise SystemExit
            got += part
            while len(got) >= 8:
                number, size = struct.unpack(">II", got[:8])
                if len(got) < 8 + size:
                    break
                data, got = got[8:8 + size], got[8 + size:]
                if number not in connections:
                    continue
                if not data:
                    leave(number)
                    continue
                try:
                    connections[number].sendall(data)
                except OSError:
                    leave(number)
                    tell(number, b"")
        elif one in numbers:
            try:
                data = one.recv(32768)
            except OSError:
                data = b""
            number = numbers[one]
            if not data:
                del numbers[one]
            tell(number, data)
`

const perl = `
use strict;
use IO::Select;
use IO::Socket::INET;
use Socket;
my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 0, Listen => 64, Proto => "tcp") or exit 1;
binmode STDIN;
binmode STDOUT;
$SIG{PIPE} = "IGNORE";
sub put {
  my ($to, $data) = @_;
  for (my $at = 0; $at < length $data;) {
    my $written = syswrite($to, $data, length($data) - $at, $at);
    return 0 unless $written;
    $at += $written;
  }
  return 1;
}
sub report { put(\\*STDOUT, pack("NN", $_[0], length $_[1]) . $_[1]) or exit 0 }
report(0, $server->sockport);
my $looked = IO::Select->new(\\*STDIN, $server);
my (%connections, %numbers);
my ($last, $got) = (0, "");
sub leave {
  my $one = delete $connections{$_[0]} or return;
  $looked->remove($one);
  delete $numbers{fileno $one};
  close $one;
}
while (my @ready = $looked->can_read) {
  for my $one (@ready) {
    my $file = fileno $one;
    next unless defined $file;
    if ($file == fileno $server) {
      my $next = $server->accept or next;
      setsockopt($next, SOL_SOCKET, SO_SNDTIMEO, pack("l!l!", 60, 0));
      $last++;
      $connections{$last} = $next;
      $numbers{fileno $next} = $last;
      $looked->add($next);
    } elsif ($file == 0) {
      sysread(STDIN, $got, 65536, length $got) or exit 0;
      while (length $got >= 8) {
        my ($number, $size) = unpack("NN", $got);
        last if length $got < 8 + $size;
        my $data = substr($got, 8, $size);
        substr($got, 0, 8 + $size) = "";
        my $to = $connections{$number} or next;
        if ($size == 0) { leave($number) }
        elsif (!put($to, $data)) { leave($number); report($number, "") }
      }
    } elsif (my $number = $numbers{$file}) {
      my $data = "";
      sysread($one, $data, 32768) or $data = "";
      if (!length $data) {
        $looked->remove($one);
        delete $numbers{$file};
      }
      report($number, $data);
    }
  }
}
`

/** The relay's languages; which of them a machine takes is its own choice. */
export const relayPrograms = { python, perl } as const

const start = `for try in python3 perl; do
  case $try in
    python3) python3 -I -S -c 'import os, select, socket, struct' && exec python3 -I -S -c "$1" ;;
    perl) perl -MIO::Select -MIO::Socket::INET -e 1 && exec perl -e "$2" ;;
  esac
done 2> /dev/null
exit 127`

/** The exit code of a relay that found no language. */
export const noLanguage = 127

/** What starts the relay in a machine. */
export const relayCommand: readonly [string, ...string[]] = ['sh', '-c', start, 'sh', python, perl]
