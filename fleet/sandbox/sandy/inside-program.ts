/**
 * What runs inside a sandbox of Sandy for each request, in Perl, which every Debian has with the modules used here. The service knows only a shell
 * and texts; this keeps what the port promises beyond that: arguments and bytes exactly, limits of time, output and memory, an end of all that a
 * command began, files without following links.
 *
 * It reads a way to do and fields in base64 (`insideCommand`), and prints one line (`readReport`). Where it is root, programs run as a user
 * without rights, with no way to the network unless asked for; so they can neither end it nor speak in its place. Where it is not, it hides
 * its descriptors from them (PR_SET_DUMPABLE), but they could end it: that is told from a lost service by the exit code.
 *
 * The end of the first process shows by its channels, or at the next look some milliseconds later: Perl dies of many signals at once.
 * As the adopter of orphans (PR_SET_CHILD_SUBREAPER) it finds all that descends from it, whatever session or group that made for itself.
 */
export const insideProgram = String.raw`
use strict; no warnings; use POSIX ":sys_wait_h"; use Fcntl;
my ($mode, $given) = @ARGV;
my $calls = { x86_64 => [157, 272, 302, 137], aarch64 => [167, 97, 261, 43] }->{ (POSIX::uname())[4] };
my ($stage, $user);

sub decode {
  my ($text) = @_;
  my $padding = $text =~ tr/=//d;
  $text =~ tr{A-Za-z0-9+/}{\x60!-_};
  $text .= "\x60" x $padding;
  my $bytes = "";
  $bytes .= unpack "u", chr(32 + length($1) * 3 / 4) . $1 while $text =~ /\G(.{1,60})/gs;
  return substr $bytes, 0, length($bytes) - $padding;
}
sub encode {
  my $padding = -length($_[0]) % 3;
  my $text = pack "u", $_[0];
  $text =~ s/^.//mg;
  $text =~ tr/\n//d;
  $text =~ tr{\x60!-_}{A-Za-z0-9+/};
  substr($text, -$padding) = "=" x $padding if $padding;
  return $text;
}
sub report {
  my ($end, $code, @parts) = @_;
  my $text = join ",", map { encode($_) } @parts;
  if (length $text > 65536 && sysopen(my $file, $stage, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600)) {
    my $whole = print($file $text) && close $file;
    $whole ? ($text = "\@$stage") : unlink $stage;
  }
  syswrite STDOUT, $_ for "bench $end $code ", unpack("(a65536)*", $text), "\n";
  exit 0;
}

sub now { return 1000 * (POSIX::times())[0] / POSIX::sysconf(POSIX::_SC_CLK_TCK()) }
sub apart {
  return 0 if syscall($calls->[1], 0x40000000) != 0;
  my $up = pack "a16 s x22", "lo", 0x41;
  my $any;
  return socket($any, 2, 2, 0) && ioctl($any, 0x8914, $up);
}
sub become {
  my ($most) = @_;
  syscall($calls->[0], 38, 1, 0, 0, 0);
  return 1 if $> != 0;
  my $limit = pack "QQ", $most, $most;
  syscall($calls->[2], 0, 6, $limit, 0);
  $) = "$user $user"; $( = $user;
  POSIX::setuid($user);
  return $< == $user && $> == $user && $) =~ /^$user( $user)*$/;
}
sub room {
  my ($path, $held) = ($_[0] . "\0", "\0" x 120);
  return (-1, -1) if syscall($calls->[3], $path, $held) != 0;
  my (undef, $size, undef, undef, $blocks, $files, $free) = unpack "q7", $held;
  return ($size * $blocks, $files > 0 ? $free : -1);
}
sub is_full { return scalar grep { $_ == 0 } map { room($_) } "/workspace", "/tmp", "/dev/shm" }

sub slurp { open(my $file, "<", $_[0]) or return ""; local $/; return scalar <$file> }
sub below {
  my %of;
  opendir(my $all, "/proc") or die;
  for my $one (grep { /^\d+$/ } readdir $all) { push @{$of{$1}}, $one if slurp("/proc/$one/stat") =~ /.*\) \S (\d+)/s }
  my @found = @{$of{$$} || []};
  for (my $at = 0; $at < @found; $at++) { push @found, @{$of{$found[$at]} || []} }
  return @found;
}
sub sweep {
  while (my @left = below()) {
    kill "KILL", @left;
    1 while waitpid(-1, WNOHANG) > 0;
    select undef, undef, undef, 0.002;
  }
}
sub resident { return POSIX::sysconf(POSIX::_SC_PAGESIZE()) * (split / /, slurp("/proc/$_[0]/statm"))[1] }
sub takes_more {
  my ($limit) = @_;
  my ($rough, $exact, @all) = (0, 0, below());
  $rough += resident($_) for @all;
  return 0 if $rough <= $limit;
  $exact += slurp("/proc/$_/smaps_rollup") =~ /^Pss:\s+(\d+)/m ? 1024 * $1 : resident($_) for @all;
  return $exact > $limit;
}

sub run {
  my ($timeout, $most, $memory, $processes, $network, $cwd, $stdin, $pairs) = splice @_, 0, 8;
  my %env = splice @_, 0, 2 * $pairs;
  my @argv = @_;
  $env{PATH} = $ENV{PATH} || "/usr/local/bin:/usr/bin:/bin" unless exists $env{PATH};
  syscall($calls->[0], 36, 1, 0, 0, 0);
  syscall($calls->[0], 4, 0, 0, 0, 0);
  $SIG{PIPE} = "IGNORE";
  pipe(my $in, my $feed); pipe(my $out, my $said); pipe(my $err, my $cried); pipe(my $fault, my $faulty);
  my $from = now();
  my $first = fork;
  report("unavailable", 0, "", "") unless defined $first;
  if (!$first) {
    $SIG{PIPE} = "DEFAULT";
    POSIX::setsid();
    POSIX::dup2(fileno $in, 0); POSIX::dup2(fileno $said, 1); POSIX::dup2(fileno $cried, 2);
    my $able = ($network || $> != 0 || apart()) && become($processes) && chdir $cwd;
    %ENV = %env;
    exec { $argv[0] } @argv if $able;
    syswrite $faulty, "x";
    POSIX::_exit(127);
  }
  close $_ for $in, $said, $cried, $faulty;
  my ($left, $end, $status, $looked) = ($most, "", undef, $from);
  my %open = map { fileno($_) => $_ } $out, $err;
  my @numbers = map { fileno $_ } $out, $err;
  my %kept = map { $_ => "" } @numbers;
  my $hear = sub {
    my ($number) = @_;
    my $had = sysread $open{$number}, my $part, 65536;
    delete $open{$number} if defined $had && $had == 0;
    return unless $had;
    $kept{$number} .= substr $part, 0, $left if $left > 0;
    $left -= $had;
    $end ||= "output-limit" if $left < 0;
  };
  fcntl $feed, F_SETFL, O_WRONLY | O_NONBLOCK;
  until ($end || defined $status) {
    if ($feed && $stdin eq "") { close $feed; undef $feed }
    my ($readable, $writable) = ("", "");
    vec($readable, $_, 1) = 1 for keys %open;
    vec($writable, fileno $feed, 1) = 1 if $feed;
    if (select($readable, $writable, undef, %open ? 0.05 : 0.01) > 0) {
      $hear->($_) for grep { vec $readable, $_, 1 } keys %open;
      if ($feed && vec $writable, fileno $feed, 1) {
        my $took = syswrite $feed, $stdin, 65536;
        if (defined $took) { substr($stdin, 0, $took) = "" } elsif ($! != 11 && $! != 4) { $stdin = "" }
      }
    }
    while ((my $ended = waitpid -1, WNOHANG) > 0) { $status = $? if $ended == $first }
    my $time = now();
    $end ||= "timeout" if !defined $status && $time - $from >= $timeout;
    if (!$end && !defined $status && $time - $looked >= 50) { $looked = $time; $end = "out-of-memory" if takes_more($memory) }
  }
  sweep();
  while (%open) {
    my $readable = "";
    vec($readable, $_, 1) = 1 for keys %open;
    my $some = select $readable, undef, undef, 1;
    last if $some == 0;
    $hear->($_) for grep { $some > 0 && vec $readable, $_, 1 } keys %open;
  }
  my $code = !defined $status ? 0 : $status & 127 ? 128 + ($status & 127) : $status >> 8;
  $end ||= "denied" if sysread $fault, my $mark, 1;
  $end ||= "disk-full" if $code != 0 && is_full();
  report($end || "exited", $code, map { $kept{$_} } @numbers);
}

sub enter {
  my ($make, @names) = @_;
  chdir "/workspace" or return 0;
  for my $name (@names) {
    mkdir $name, 0755 if $make;
    my $directory;
    sysopen($directory, $name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK) && chdir $directory or return 0;
  }
  return 1;
}
sub take {
  my ($most, @names) = @_;
  my $name = pop @names;
  my ($bytes, $file) = ("");
  become(256) && enter(0, @names) or report("none", 0, "");
  sysopen($file, $name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY) && -f $file or report("none", 0, "");
  while ($most > length $bytes) { last unless sysread $file, $bytes, $most - length $bytes > 65536 ? 65536 : $most - length $bytes, length $bytes }
  report("taken", 0, $bytes);
}
sub place {
  my ($fresh, $total, $begins, $ends, $bytes, @names) = @_;
  my $name = pop @names;
  my $refuse = sub { my $full = $! == 28 || $! == 122; unlink $fresh; report($full ? "disk-full" : "denied", 0, "") };
  become(256) && enter(1, @names) or $refuse->();
  my ($free) = room(".");
  report("disk-full", 0, "") if $begins && $free >= 0 && $free < $total;
  sysopen(my $file, $fresh, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | ($begins ? O_EXCL : 0), 0644) or $refuse->();
  while ($bytes ne "") { my $took = syswrite $file, $bytes or $refuse->(); substr($bytes, 0, $took) = "" }
  close $file or $refuse->();
  $ends and (rename $fresh, $name or $refuse->());
  report("written", 0, "");
}
sub ready {
  my ($network) = @_;
  mkdir "/workspace", 0755;
  chown $user, $user, "/workspace" if $> == 0;
  report("denied", 0, "its directory /workspace cannot be written to") unless -d "/workspace" && -w "/workspace";
  if (!$network) {
    my $cut = 0;
    if ($> == 0) {
      my $tries = fork;
      POSIX::_exit(apart() ? 0 : 1) if defined $tries && !$tries;
      $cut = defined $tries && waitpid($tries, 0) == $tries && $? == 0;
    }
    my @ways = grep { $_ ne "lo" } slurp("/proc/net/dev") =~ /^\s*([^:\s]+):/mg;
    report("denied", 0, "it has a network that cannot be shut off from inside") if @ways && !$cut;
  }
  report("ready", 0, $> == 0 ? "root" : "user");
}

umask 022;
if ($given =~ s/^\@//) { my $path = $given; $given = slurp($path); unlink $path }
($stage, $user, my @fields) = map { decode($_) } split /,/, $given, -1;
report("denied", 0, "its machine is neither x86-64 nor 64-bit ARM") unless $calls;
my %ways = (run => \&run, take => \&take, place => \&place, ready => \&ready);
$ways{$mode}->(@fields);
`
