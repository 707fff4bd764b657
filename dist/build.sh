#!/bin/sh
# Makes target/clew-VERSION.tar.gz: what runs without Maven where there is a Java 17 or later.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd -P)
run=$home/clew-cli/target/run

rm -f "$run/built" # so that it is built now, with the list of its libraries
version=$(MVN_ARGS="${MVN_ARGS:-} -Dclew.sbom" "$home/clew" --version)
version=${version#clew }
version=${version%%,*}
name=clew-$version
folder=$home/target/$name
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

rm -rf "$folder" "$folder.tar.gz"
mkdir -p "$folder/bin" "$folder/lib" "$folder/etc" "$folder/share/man/man1" \
  "$folder/share/bash-completion/completions" "$folder/share/fish/vendor_completions.d"
cp "$home/dist/clew" "$folder/bin/clew"
cp "$home/dist/start.sh" "$run/clew.jar" "$folder/lib"
cp -R "$run/lib" "$folder/lib/lib"
cp "$home/dist/clew.yaml" "$home/dist/clew.service" "$folder/etc"
cp "$home/README.md" "$home/LICENSE" "$home/CHANGELOG.md" "$home/clew-cli/target/fast/sbom.json" "$folder"
cp -R "$home/docs" "$folder/docs"
"$java" -cp "$run/clew.jar" dev.clew.cli.ManPage >"$folder/share/man/man1/clew.1"
"$home/clew" completion bash >"$folder/share/bash-completion/completions/clew"
"$home/clew" completion fish >"$folder/share/fish/vendor_completions.d/clew.fish"
chmod 755 "$folder/bin/clew"
tar -C "$home/target" -czf "$folder.tar.gz" "$name"
rm -rf "$folder"
echo "$folder.tar.gz"
