#!/bin/sh
# image-root.sh NODE DIR: makes the root directory of the agent's image, for a Debian that has `strip`. It holds the given Node without its debug
# symbols, the libraries it loads with what scanners and licences ask to know of them, a name for the user 1000, and an empty /tmp.
set -eu
node=$(readlink -f "$1")
root=$2

install -D "$node" "$root/usr/bin/node"
strip "$root/usr/bin/node"
install -D -m 0644 "$(dirname "$node")/../LICENSE" "$root/usr/share/doc/node/LICENSE"

mkdir -p "$root/var/lib/dpkg/status.d"
for library in $(ldd "$node" | grep -o '/[^ ]*'); do
  cp -L --parents "$library" "$root"
  package=$(dpkg -S "*/$(basename "$library")" | head -n 1 | cut -d : -f 1)
  dpkg-query -s "$package" > "$root/var/lib/dpkg/status.d/$package"
  cp -L --parents "/usr/share/doc/$package/copyright" "$root"
done

install -d "$root/etc" "$root/app"
install -d -m 1777 "$root/tmp"
echo 'agent:x:1000:1000:agent:/data:/sbin/nologin' > "$root/etc/passwd"
echo 'agent:x:1000:' > "$root/etc/group"
# Without this file the C library asks name servers before /etc/hosts.
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
