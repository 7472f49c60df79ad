# Everything that is done to this project, locally and in CI. `make help` lists
# the targets; Taskfile.yml has the same ones. Needed: Go 1.26, a C compiler, Node 20.

ADDR ?= 127.0.0.1:8080
DATA ?= .svc-data

# Tools are pinned here and installed into bin/tools, each version in its own folder.
GOLANGCI_LINT_VERSION := v2.15.0
GOFUMPT_VERSION       := v0.12.0

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)

# One set of flags for building, testing and linting, so that they share the
# build cache: SQLite alone takes a minute to compile. The caller's GOFLAGS do not count.
export GOFLAGS     := -trimpath -buildvcs=false -tags=sqlite_fts5
export CGO_ENABLED := 1

LIBM     := operators-wasm/compile/libm
QUICKJS  := sandbox/lang/javascript
DIST     := plugins/builtin/dist
MODULES  := $(LIBM)/dist/libm.wasm $(QUICKJS)/dist/quickjs.wasm
KERNELS  := sandbox/benchmarks/dist/kernels.wasm
GUESTS   := $(patsubst plugins/guests/%/main.go,bin/guests/%.wasm,$(wildcard plugins/guests/*/*/main.go))
BUILTINS := $(DIST)/generation.json

LINT    := bin/tools/golangci-lint-$(GOLANGCI_LINT_VERSION)/golangci-lint
GOFUMPT := bin/tools/gofumpt-$(GOFUMPT_VERSION)/gofumpt

# Debian's ent is unpacked beside the tools where the machine has none.
ENT := $(if $(shell command -v ent),,bin/tools/ent/usr/bin/ent)

# Packages where goroutines meet: the race detector runs on these.
CONCURRENT := ./sandbox/engine/... ./plugins/... ./host/...

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY: # npm installations are intermediate files: keep them
.PHONY: run build test check bench generate interop clean help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' Makefile

run: build ## build everything and start the host (ADDR=127.0.0.1:8080 DATA=.svc-data)
	bin/svc serve --listen $(ADDR) --data $(DATA)

build: generate ## write bin/svc
	go build -ldflags '-X main.version=$(VERSION)' -o bin/svc ./cmd/svc

generate: $(BUILTINS) $(KERNELS) ## build the WebAssembly modules that the binary and the benchmarks embed

test: generate ## run the tests
	go test ./...
	@go test -v -run '^(TestConformance|TestQuestions)$$' ./host ./host/protocol | sed -nE '/rows done$$/p; s/.*: (questions: .*)/\1/p'

check: generate $(LINT) $(GOFUMPT) ## format, vet, lint, module files, data races; the tree must stay as it was
	@$(tree_state) > bin/.tree
	@files=$$(git ls-files -co --exclude-standard '*.go' | xargs ls -d 2>/dev/null); \
		diff=$$($(GOFUMPT) -d $$files) && test -z "$$diff" || { echo "$$diff"; echo 'not formatted: run $(GOFUMPT) -w on these files'; exit 1; }
	go vet ./...
	CGO_ENABLED=0 GOOS=wasip1 GOARCH=wasm go vet ./sdk/guest ./plugins/guests/...
	$(LINT) run
	go mod tidy -diff
	go mod verify
	go test -race $(CONCURRENT)
	@$(tree_state) | diff bin/.tree - || { echo 'the check changed the tree'; exit 1; }
	@test -z "$$CI" || test -z "$$(git status --porcelain)" || { git status --short; echo 'the tree is not clean'; exit 1; }

bench: generate ## print our speed as ratios, each measured in one run
	go test -run '^$$' -bench '^BenchmarkRatio' $$(grep -rl --include='*_test.go' --exclude-dir=node_modules '^func BenchmarkRatio' . | xargs -n1 dirname | sort -u)

interop: generate $(ENT) ## compare with foreign tools: Debian's ent, Python
	@command -v python3 >/dev/null || { test "$$(id -u)" = 0 && apt-get -qq update && apt-get -qqy install python3-minimal; } || \
		{ echo 'python3 is missing: install it'; exit 1; }
	python3 -B operators-wasm/catalog/examples/recompute.py
	python3 -B operators-wasm/catalog/examples/test_recompute.py
	PATH="$(abspath bin/tools/ent/usr/bin):$$PATH" go test -tags=sqlite_fts5,interop -run Interop ./...

clean: ## remove what was built and downloaded, keep the host's data
	rm -rf bin $(LIBM)/node_modules $(QUICKJS)/node_modules
	rm -f $(MODULES) $(KERNELS) $(DIST)/*.wasm $(DIST)/*.json $(BUILTINS)

# What git knows of the working tree, in a form that can be compared.
tree_state = { git status --porcelain --untracked-files=all; git diff | git hash-object --stdin; }

# The modules that npm packages give us. npm's own lock file inside node_modules
# is the newest thing that an installation writes.
%/node_modules/.package-lock.json: %/package.json %/package-lock.json
	cd $* && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

$(LIBM)/dist/libm.wasm: $(LIBM)/node_modules/.package-lock.json $(wildcard $(LIBM)/*.ts) $(LIBM)/asconfig.json
	cd $(LIBM) && npm run --silent build

$(QUICKJS)/dist/quickjs.wasm: $(QUICKJS)/node_modules/.package-lock.json
	cp $(QUICKJS)/node_modules/quickjs-wasi/quickjs.wasm $@

$(KERNELS): sandbox/benchmarks/kernels.ts $(LIBM)/node_modules/.package-lock.json
	$(LIBM)/node_modules/.bin/asc $< -O3 --runtime stub --initialMemory 512 --outFile $@

# The guests written in Go.
bin/guests/%.wasm: plugins/guests/%/main.go $(shell find plugins/guests sdk/guest -name '*.go' ! -name '*_test.go') go.mod
	CGO_ENABLED=0 GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -ldflags='-s -w' -o $@ ./$(<D)

# Every module, packed with its description: what the binary embeds.
$(BUILTINS): $(MODULES) $(GUESTS) $(shell find operators-wasm plugins sdk -type f -not -path '*/node_modules/*' -not -path '*/dist/*' ! -name '*_test.go')
	go run ./plugins/builtin/gen

$(LINT):
	GOBIN=$(abspath $(@D)) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)

$(GOFUMPT):
	GOBIN=$(abspath $(@D)) go install mvdan.cc/gofumpt@$(GOFUMPT_VERSION)

# Package lists of our own, so that this needs no root and changes nothing on the machine.
bin/tools/ent/usr/bin/ent:
	@command -v apt-get >/dev/null || { echo 'ent is missing: install it'; exit 1; }
	mkdir -p bin/apt/lists/partial bin/tools
	cd bin/apt && apt-get $(OWN_LISTS) -qq update && apt-get $(OWN_LISTS) -qq download ent && dpkg -x ent_*.deb ../tools/ent
	rm -rf bin/apt

OWN_LISTS = -o Dir::State::Lists=$(abspath bin/apt/lists) -o Dir::Cache=$(abspath bin/apt) -o APT::Sandbox::User= -o Debug::NoLocking=1
