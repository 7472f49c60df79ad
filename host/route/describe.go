package route

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"io"
	"strings"

	"github.com/swaggest/swgui/v5/static"

	"github.com/svc-platform/svc/host/fault"
)

// tier is the one label that the interface gives to routes.
const tier = "computation (public)"

// Endpoint is an entry of the registry of endpoints.
type Endpoint struct {
	Method  string `json:"method"`
	Path    string `json:"path"`
	ID      string `json:"id"`
	Summary string `json:"summary"`
	Area    string `json:"area"`
	Auth    string `json:"auth" enum:"user,public (no key)"`
	Key     string `json:"key" enum:"none,optional,required" doc:"what the operation does with a key"`
	Tier    string `json:"tier"`
}

// Endpoints is the registry of endpoints of the node.
type Endpoints struct {
	Total     int        `json:"total"`
	Endpoints []Endpoint `json:"endpoints"`
}

// published holds what the router says of itself, made when it is sealed.
type published struct {
	endpoints Encoded[Endpoints]
	openapi   []byte
}

// publish fails only on mistakes in our own types, so it panics at start.
func (r *Router) publish() {
	list := Endpoints{Endpoints: []Endpoint{}}
	for _, e := range r.Routes() {
		list.Endpoints = append(list.Endpoints, Endpoint{
			Method: e.Method, Path: e.Path, ID: e.ID, Summary: e.Summary, Area: e.Area,
			Auth: e.Auth.Label(), Key: e.Auth.String(), Tier: tier,
		})
	}
	list.Total = len(list.Endpoints)
	var err error
	if r.about.endpoints, err = Encode(list); err != nil {
		panic("route: " + err.Error())
	}
	if r.about.openapi, err = r.document(); err != nil {
		panic("route: " + err.Error())
	}
}

func registerEndpoints(r *Router) {
	Get(r, "/api/endpoints", Op{ID: "list-endpoints", Summary: "Every route of this node", Area: "docs"},
		func(context.Context, *struct{}) (Encoded[Endpoints], error) { return r.about.endpoints, nil })
}

//go:embed page
var page embed.FS

// pagePolicy lets the page load from this host and from nowhere else, so that
// it works behind an air gap and leaks nothing; Swagger UI sets inline styles.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// assetNames are the files of the documentation page and their media types.
func assetNames() map[string]string {
	return map[string]string{
		"swagger-ui.css":       "text/css; charset=utf-8",
		"swagger-ui-bundle.js": "text/javascript; charset=utf-8",
		"favicon-32x32.png":    "image/png",
		"initializer.js":       "text/javascript; charset=utf-8",
	}
}

func registerDocs(r *Router) {
	index := Content{Type: "text/html; charset=utf-8", Data: mustRead(page.ReadFile("page/index.html")), Policy: pagePolicy}
	Get(r, "/api-docs", Op{ID: "docs-page", Summary: "This documentation as a page", Area: "docs"},
		func(context.Context, *struct{}) (Content, error) { return index, nil })
	Get(r, "/api-docs/openapi.json", Op{ID: "docs-openapi", Summary: "This documentation as OpenAPI 3.1", Area: "docs"},
		func(context.Context, *struct{}) (Content, error) {
			return Content{Type: jsonType, Data: r.about.openapi}, nil
		})
	assets := map[string]asset{}
	for name, media := range assetNames() {
		assets[name] = readAsset(name, media)
	}
	Get(r, "/api-docs/{file}", Op{ID: "docs-file", Summary: "A file of the documentation page", Area: "docs"},
		func(_ context.Context, in *docsFile) (Content, error) {
			a, ok := assets[in.File]
			if !ok {
				return Content{}, fault.New(fault.NotFound, "the documentation has no file of that name")
			}
			return a.content(strings.Contains(in.Accepts, "gzip")), nil
		})
}

type docsFile struct {
	File    string `path:"file" maxLength:"64"`
	Accepts string `header:"Accept-Encoding"`
}

// asset is one file of the page, packed or plain as it was embedded.
type asset struct {
	media string
	data  []byte
	gzip  bool
}

// readAsset finds a file in our own folder or among Swagger UI's.
func readAsset(name, media string) asset {
	if data, err := page.ReadFile("page/" + name); err == nil {
		return asset{media: media, data: data}
	}
	if data, err := static.FS.ReadFile(name); err == nil {
		return asset{media: media, data: data}
	}
	return asset{media: media, data: mustRead(static.FS.ReadFile(name + ".gz")), gzip: true}
}

// mustRead panics where an embedded file is missing: a mistake at build time.
func mustRead(data []byte, err error) []byte {
	if err != nil {
		panic("route: " + err.Error())
	}
	return data
}

func (a asset) content(takesGzip bool) Content {
	c := Content{Type: a.media, Data: a.data, Cache: "public, max-age=3600"}
	switch {
	case a.gzip && takesGzip:
		c.Coding = "gzip"
	case a.gzip:
		z, err := gzip.NewReader(bytes.NewReader(a.data))
		if err != nil {
			panic("route: " + err.Error())
		}
		c.Data = mustRead(io.ReadAll(z))
	}
	return c
}
