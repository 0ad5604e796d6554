# Sourced by build.sh and build-tests.sh: the flags of the programs, and of the tests, which are made of the same objects,
# so that what "make run" has compiled "make test" does not compile again. docs/install.md has what each is worth.
# shellcheck shell=bash disable=SC2034
flags=(
  -c release
  --explicit-target-dependency-import-check error
  # No symbol is exported, so that what nobody calls is left out, function by function.
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections
  -Xswiftc -use-ld=lld
  -Xlinker --no-export-dynamic
  -Xlinker -z -Xlinker pack-relative-relocs
  # The folder changes nothing in the programs.
  -Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=."
  -Xlinker "$PWD/scripts/reproducible.ld"
  -Xlinker --build-id=sha1
)
# What tests may see besides, and no names for a debugger. The package is built without the one and with the other.
shared=(-Xswiftc -enable-testing -debug-info-format none -Xlinker --strip-all)

# What SwiftPM says of ImageMagick's -fopenmp and of pinned packages, and the linker of a part of Foundation that is
# not called. All are explained in CONTRIBUTING.md.
harmless='prohibited flag\(s\)|is not used by any target|the use of `(mktemp|tempnam|tmpnam)'
