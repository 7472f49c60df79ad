package main_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The rules of the house that concern every file: see ARCHITECTURE.md.

const (
	top        = "../.." // where the tree begins, seen from here
	maxLines   = 500
	modulePath = "github.com/svc-platform/svc"
)

// tree lists the files of the project by their path below top, without what
// was built, downloaded or belongs to git.
func tree(t *testing.T) []string {
	t.Helper()
	foreign := []string{".git", ".svc-data", ".task", "bin", "dist", "node_modules"}
	var files []string
	err := fs.WalkDir(os.DirFS(top), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(foreign, entry.Name()):
			return fs.SkipDir
		case entry.Type().IsRegular():
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 || !slices.Contains(files, "Makefile") {
		t.Fatalf("%s is not the top of the project: %d files", top, len(files))
	}
	return files
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(top, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// goFile is a parsed source file.
type goFile struct {
	name string // path below top
	*ast.File
}

func (f goFile) folder() string { return path.Dir(f.name) }
func (f goFile) isTest() bool   { return strings.HasSuffix(f.name, "_test.go") }

func goFiles(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	for _, name := range tree(t) {
		if path.Ext(name) != ".go" {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, read(t, name), parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		files = append(files, goFile{name, parsed})
	}
	return files
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	comments := map[string][]string{} // folder to the files with a package comment
	for _, f := range goFiles(t) {
		if f.isTest() {
			continue
		}
		found := comments[f.folder()]
		if f.Doc != nil {
			found = append(found, f.name)
		}
		comments[f.folder()] = found
	}
	for folder, found := range comments {
		switch {
		case len(found) == 0:
			t.Errorf("%s has no package comment: say in one of its files what this folder is for", folder)
		case len(found) > 1:
			t.Errorf("%s has more than one package comment, in %s: keep one", folder, strings.Join(found, " and "))
		}
	}
}

func TestNoSourceFileIsTooLong(t *testing.T) {
	for _, name := range tree(t) {
		if !slices.Contains([]string{".go", ".ts", ".js", ".py", ".c"}, path.Ext(name)) || strings.Contains(name, "/testdata/") {
			continue
		}
		if lines := bytes.Count(read(t, name), []byte("\n")); lines > maxLines {
			t.Errorf("%s has %d lines, more than %d: it does more than one thing, split it", name, lines, maxLines)
		}
	}
}

func TestNothingRunsBeforeMain(t *testing.T) {
	for _, f := range goFiles(t) {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s has a func init: list what it registers in a plain slice, and let main wire it", f.name)
			}
		}
	}
}

func TestNoFileNamesAMachineOrARegistry(t *testing.T) {
	// Each is spelled so that this file does not contain what it forbids.
	forbidden := regexp.MustCompile(`/wo[r]k/(main|shared|\.lib)|(/ro[o]t|/(home|Users)/\w+)/(go|\.cache)\b|` +
		`pro[x]y\.golang|su[m]\.golang|regist[r]y\.(npm|yarn)|de[b]\.debian|p[y]pi\.org|files\.pytho[n]hosted|stati[c]\.crates`)
	for _, name := range tree(t) {
		content := read(t, name)
		if path.Base(name) == "go.sum" || bytes.IndexByte(content, 0) >= 0 {
			continue
		}
		for i, line := range strings.Split(string(content), "\n") {
			if found := forbidden.FindString(line); found != "" {
				t.Errorf("%s:%d names %q: a clone must work on any machine and from any mirror", name, i+1, found)
			}
		}
	}
}

func TestMakefileAndTaskfileHaveTheSameTargets(t *testing.T) {
	makeTargets := targets(string(read(t, "Makefile")), `(?m)^([a-z]+):.*## `)
	_, tasks, _ := strings.Cut(string(read(t, "Taskfile.yml")), "\ntasks:\n")
	taskTargets := targets(tasks, `(?m)^  ([a-z]+):`)
	if !slices.Equal(makeTargets, taskTargets) {
		t.Errorf("Makefile: %v\nTaskfile.yml: %v", makeTargets, taskTargets)
	}
	for _, want := range []string{"run", "build", "test", "check", "bench", "generate"} {
		if !slices.Contains(makeTargets, want) {
			t.Errorf("Makefile has no target %s", want)
		}
	}
}

func targets(text, pattern string) []string {
	var names []string
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	slices.Sort(names)
	return names
}

func TestImportsPointDownwards(t *testing.T) {
	for _, f := range goFiles(t) {
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if reason := wrongImport(f.folder(), imported, f.isTest()); reason != "" {
				t.Errorf("%s imports %s: %s", f.name, imported, reason)
			}
		}
	}
}
