#!/bin/sh
# Builds the ffmpeg that the image holds: `sh scripts/encoder.sh FOLDER` makes FOLDER/bin/ffmpeg and, in FOLDER/lib, the library that it
# encodes with. Debian's own ffmpeg loads 200 libraries, which takes 50 ms of a processor for each voice note; this one has the Opus
# encoder for voice notes, what slows one down and joins several, and the pixels of a BMP or webp, and nothing else. Same source, same
# patches.
#
# Takes Debian, the packages that the Dockerfile installs before it, and `deb-src` among apt's sources.
set -eu
folder=$1
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cd "$build"
apt-get source ffmpeg
cd ffmpeg-*/
./configure --disable-everything --disable-autodetect --disable-doc --disable-network --disable-debug \
  --disable-ffplay --disable-ffprobe --disable-avdevice --disable-postproc \
  --enable-libopus --enable-encoder=libopus --enable-decoder=pcm_s16le,opus --enable-parser=opus \
  --enable-demuxer=pcm_s16le,ogg --enable-muxer=ogg --enable-protocol=pipe \
  --enable-filter=aformat,anull,aresample,atempo,atrim --enable-bsf=setts \
  --enable-decoder=bmp,webp --enable-parser=bmp,webp --enable-demuxer=image_bmp_pipe,image_webp_pipe \
  --enable-encoder=rawvideo --enable-muxer=rawvideo --enable-filter=crop,scale
make -j"$(nproc)" ffmpeg
install -D -s -t "$folder/bin" ffmpeg
install -D -t "$folder/lib" "$(ldd ffmpeg | awk '/libopus/ { print $3 }')"
