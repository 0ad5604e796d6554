# mediabatch: build, run, test. `make` alone lists the first six targets, `make help-all` every one.
# Needs Swift 6.3 and Debian 12 or 13; what else is missing is installed (as root or through sudo).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
DESTDIR ?=
# How long each parser is fuzzed in test-all.
FUZZ_SECONDS ?= 20
bindir = $(DESTDIR)$(PREFIX)/bin
sharedir = $(DESTDIR)$(PREFIX)/share
mandir = $(sharedir)/man/man1
docdir = $(sharedir)/doc/mediabatch
demodir = $(sharedir)/mediabatch/demo
unitdir = $(DESTDIR)$(PREFIX)/lib/systemd/user
# How long `make fuzz` goes on, and whether it writes a page of results (RESULT=1).
MINUTES ?= 60
RESULT ?=
# A folder of programs that are installed without building them first.
BUILT ?=
built = $(or $(BUILT),.build/release)
# Where each shell looks for completions, and under which name; Debian's zsh has a folder for packages.
zsh_completions ?= zsh/site-functions
completions = bash:bash-completion/completions/mediabatch zsh:$(zsh_completions)/_mediabatch \
  fish:fish/vendor_completions.d/mediabatch.fish
programs := mediabatch mediabatch-worker
# The second implementation, which is no part of the build.
verifier := mediabatch-verify
swift_sources := Sources $(wildcard Tests) Package.swift

.PHONY: help help-all deps build run test costs coverage test-all test-docs test-web test-readers test-photos test-power test-mounts test-schedulers test-slurm test-snakemake test-parallel test-kubernetes test-rclone fuzz docs reproducible lint format bench bench-million install uninstall deb test-deb test-debian13 test-arm64 compare-releases container release clean

# What a newcomer needs, in that order.
first := run test lint docs install deb

help: ## List the first targets
	@echo "make TARGET, where TARGET is one of:"
	@all=$$($(MAKE) help-all); for target in $(first); do grep "^  $$target " <<<"$$all"; done
	@echo "\"make help-all\" lists all; CONTRIBUTING.md says when each is for you."

help-all: ## List all targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## Install the Debian packages that building needs, if any is missing
	@scripts/deps.sh build

build: deps ## Build the release programs into .build/release
	@scripts/build.sh

run: build ## Build, then make a library, a gallery and a report of the demo media in mediabatch-demo
	@.build/release/mediabatch demo --media Manifests

test: ## Build the tests, optimized, and run every test (MEDIABATCH_CORPUS: real media)
	@scripts/deps.sh build test
	@scripts/check-layers.sh
	@python3 scripts/check-schema.py
	@scripts/test.sh

# Those of "make build", or else those of "make deb", which are compiled without what only tests may see.
costs: ## Count calls, allocations, instructions and bytes written by the release; fail above Benchmarks/costs.json
	@scripts/deps.sh test deb
	@scripts/costs.py $(patsubst %/mediabatch,%,$(firstword $(wildcard $(addsuffix /release/mediabatch,.build .build-deb)) .build/release/mediabatch))

coverage: ## Count which lines the tests reach, and name the hundred functions that most deserve one, in Benchmarks/results
	@scripts/deps.sh build test
	@scripts/coverage.sh

test-all: export FUZZ_SECONDS := $(FUZZ_SECONDS)
test-all: ## Everything: long tests, outputs, schedulers, readers, faults, fuzzing (FUZZ_SECONDS), package, container, Debian 13
	@scripts/test-all.sh

.PHONY: docs
docs: build ## Write docs/commands.md and the tables of records anew, from the definitions of commands and records
	@scripts/commands.py .build/release/mediabatch docs/commands.md
	@scripts/deps.sh build test
	@RECORD_SNAPSHOTS=1 scripts/test.sh --filter 'MediaAuditTests\.RecordTablesTests'

test-docs: ## Run every command, session, manifest and query of the documents (part of test)
	@scripts/deps.sh build test
	@scripts/test.sh --filter 'CommandLineTests\.(DocumentationTests|CommandsDocumentTests|BackupTests)'

test-web: export MEDIABATCH_TEST_WEB = 1
test-web: ## Look at galleries, reports and the asking page in Chromium, at galleries with a password in Firefox too (installs both, and tools from PyPI)
	@scripts/deps.sh build test web
	@scripts/web-tools.sh
	@scripts/test.sh --filter 'CommandLineTests\.(GalleryCommandTests|GalleryPageTests|ReportPageTests|AskingPageTests|SimilarActTests|PasswordGalleryTests)/(browser|decrypted)'

# Suites that make bags, which bagit validates.
bag_tests = ConvertTests|ConvertVideoTests|DamagedFolderTests|EmbedTests|ExportCommandTests|FolderFaultTests|MendedFolderTests|MotionPhotoTests
test-readers: ## Read exported events, envelopes, timestamps, crates and bags with programs that did not write them (PyPI)
	@scripts/deps.sh build test readers
	@scripts/readers.sh
	@scripts/test.sh --filter 'CommandLineTests\.(AuditEventsTests|SignedReportTests|TimestampTests|CrateTests|BagTests|$(bag_tests))'

test-photos: ## Compare an imported Photos library with what osxphotos says of it (from PyPI)
	@scripts/deps.sh build test
	@scripts/build-tests.sh
	@Tests/PhotosReaders/run.sh

# The programs that the schedulers start.
test-slurm test-snakemake test-parallel test-kubernetes test-rclone: export MEDIABATCH ?= $(CURDIR)/.build/release/mediabatch

test-schedulers: test-slurm test-snakemake test-parallel test-kubernetes test-rclone ## Import by each scheduler and from object storage (part of test-all)

test-slurm: ## Import with Slurm: four nodes here, one is killed, one is cut off (root)
	@scripts/deps.sh build schedulers
	@scripts/build-tests.sh
	@Tests/Schedulers/slurm.sh

test-snakemake: ## Import with Snakemake, which is killed (from PyPI)
	@scripts/deps.sh build schedulers
	@scripts/build-tests.sh
	@Tests/Schedulers/tools.sh snakemake
	@Tests/Schedulers/snakemake.sh

test-parallel: ## Import with GNU parallel, which is killed
	@scripts/deps.sh build schedulers
	@scripts/build-tests.sh
	@Tests/Schedulers/parallel.sh

test-kubernetes: ## Check and simulate the jobs for Kubernetes, AWS Batch and Nextflow
	@scripts/deps.sh build schedulers
	@scripts/build-tests.sh
	@Tests/Schedulers/tools.sh kubernetes moto
	@Tests/Schedulers/simulated.sh

test-rclone: ## Import from an S3 server of PyPI's moto, with authentication
	@scripts/deps.sh build schedulers
	@scripts/build-tests.sh
	@Tests/Schedulers/tools.sh moto
	@Tests/Schedulers/rclone.sh

test-power: export MEDIABATCH_TEST_ALL = 1
test-power: ## Cut the power in 56 runs on ext4 and xfs (root; a short form is in test)
	@scripts/deps.sh build test power
	@scripts/test.sh --filter 'CommandLineTests\.PowerCutTests'

test-mounts: export MEDIABATCH_TEST_ALL = 1
test-mounts: ## Make folders for others on ext4, xfs, btrfs, exfat-fuse, lowntfs-3g, sshfs and rclone (root)
	@scripts/deps.sh build test mounts
	@scripts/test.sh --filter 'CommandLineTests\.(MountedFolderTests|FolderFaultTests)'

fuzz: ## Fuzz the parsers for MINUTES (60) at nice 19, going on where the last call stopped (RESULT=1: Benchmarks/results)
	@scripts/deps.sh build
	@scripts/fuzz.sh --minutes $(MINUTES) $(if $(RESULT),--result)

reproducible: deps ## Build HEAD twice in new clones and compare the programs byte for byte
	@scripts/reproducible.sh

lint: ## Check the format of the sources, the walls between the modules, scripts and links
	@scripts/deps.sh lint
	@swift format lint --strict --recursive $(swift_sources)
	@scripts/argument-lists.py --check
	@echo "format: as .swift-format says"
	@scripts/check-layers.sh

format: ## Write the sources anew in the format that lint wants
	@scripts/argument-lists.py
	@swift format --in-place --recursive $(swift_sources)

bench: build ## Measure all goals up to 100,000 files against the peers; results in Benchmarks/results
	@scripts/deps.sh bench
	@Benchmarks/run.sh

bench-million: build ## Measure those at a million files; says how much disk it needs (26 GB)
	@scripts/deps.sh bench
	@Benchmarks/run.sh --million

# The manual pages, written from the definitions of the commands.
manual := .build/manual

install: ## Install programs, manual pages, completions, documents and a timer under PREFIX (/usr/local)
	@if [[ -z "$(BUILT)" ]] && command -v swift >/dev/null; then $(MAKE) build; fi
	@for program in $(programs); do \
	  [[ -x $(built)/$$program ]] || { echo "install: run \"make build\" first" >&2; exit 1; }; \
	done
	@install -d "$(bindir)"
	@for program in $(programs); do \
	  install -m 755 "$(built)/$$program" "$(bindir)/$$program"; \
	  echo "installed $(bindir)/$$program"; \
	done
	@install -m 755 "packaging/$(verifier)" "$(bindir)/$(verifier)"; echo "installed $(bindir)/$(verifier)"
	@for shell in $(completions); do \
	  file="$(sharedir)/$${shell#*:}"; install -d "$${file%/*}"; \
	  scripts/completions.py $(built)/mediabatch "$${shell%%:*}" >"$$file"; chmod 644 "$$file"; \
	  echo "installed $$file"; \
	done
	@rm -rf $(manual); scripts/manual.py $(built)/mediabatch $(manual) >/dev/null
	@install -d "$(mandir)"; install -m 644 $(manual)/*.1 "$(mandir)"
	@echo "installed $(mandir)/mediabatch*.1"
	@rm -rf "$(docdir)"; install -d "$(docdir)"; scripts/documents.py "$(docdir)"
	@scripts/documents.py --check "$(docdir)"
	@echo "installed $(docdir)"
	@install -d "$(demodir)"; cp -R Manifests/demo.json Manifests/labels.csv Manifests/media "$(demodir)"
	@chmod -R u=rwX,go=rX "$(demodir)"
	@echo "installed $(demodir)"
	@install -d "$(unitdir)"
	@for unit in packaging/systemd/*; do \
	  sed 's|@bindir@|$(PREFIX)/bin|' "$$unit" >"$(unitdir)/$${unit##*/}"; \
	  chmod 644 "$(unitdir)/$${unit##*/}"; \
	  echo "installed $(unitdir)/$${unit##*/}"; \
	done

uninstall: ## Remove what install has put under PREFIX
	@for program in $(programs) $(verifier); do \
	  rm -f "$(bindir)/$$program"; echo "removed $(bindir)/$$program"; \
	done
	@for shell in $(completions); do \
	  rm -f "$(sharedir)/$${shell#*:}"; echo "removed $(sharedir)/$${shell#*:}"; \
	done
	@rm -f "$(mandir)/mediabatch.1" "$(mandir)"/mediabatch-*.1; echo "removed $(mandir)/mediabatch*.1"
	@rm -rf "$(docdir)" "$(demodir)"; echo "removed $(docdir) and $(demodir)"
	@rmdir "$(sharedir)/mediabatch" 2>/dev/null || true
	@rm -f "$(unitdir)"/mediabatch@.{service,timer} "$(unitdir)"/mediabatch-watch@.service; echo "removed $(unitdir)/mediabatch@.timer"

deb: ## Build the Debian package into .build/deb, check it with lintian, and write its SBOM
	@scripts/deps.sh build deb
	@scripts/deb.sh

test-deb: deb ## Install the Debian package into a chroot of debootstrap and use it (root)
	@scripts/deps.sh test-deb
	@scripts/test-deb.sh

test-debian13: ## Build, install, use and test all on Debian 13, in a tree of debootstrap (root; SHORT=1: without the tests)
	@scripts/deps.sh test-deb
	@scripts/test-debian13.sh $(if $(SHORT),short,all)

test-arm64: ## Cross-compile the C shims for arm64 and run their tests by qemu-user (root, for arm64's libraries by debootstrap)
	@scripts/deps.sh build arm64
	@scripts/test-arm64.sh

compare-releases: build ## Compare what this release and Debian 13 make of the media in MEDIABATCH_CORPUS (root)
	@scripts/deps.sh test-deb releases
	@scripts/compare-releases.sh

release: ## Make and tag a signed release of HEAD in .build/releases (root; RELEASE_KEY: an Ed25519 key in PEM, without it a rehearsal; TESTS= TWICE=: without the tests and the second build)
	@scripts/deps.sh build deb test-deb container release
	@scripts/release.sh

container: deb ## Build a container image from an empty tree, and import the demo with it (root)
	@scripts/deps.sh container
	@scripts/container.sh

clean: ## Remove what was built and the demo library (the trees in .build-debian and what the fuzzer has learned stay)
	@rm -rf .build .build-deb .build-coverage .build-coverage.log mediabatch-demo demo-output
	@echo "removed .build, .build-deb, .build-coverage, mediabatch-demo and demo-output"
