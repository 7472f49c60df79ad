package route_test

import (
	"regexp"
	"testing"

	"github.com/svc-platform/svc/host/route/routetest"
)

func TestDocsPage(t *testing.T) {
	r := routetest.New()
	plain := map[string]string{"Accept-Encoding": "identity"}
	routetest.Run(t, r, []routetest.Scenario{
		{
			Name: "page", URL: "/api-docs", Status: 200, Contains: []string{"/api-docs/swagger-ui-bundle.js"},
			Lacks: []string{"http://", "https://", "//cdn", "validator"}, Answers: map[string]string{"Content-Type": "text/html; charset=utf-8"},
		},
		{Name: "page with a slash", URL: "/api-docs/", Status: 200, Contains: []string{"swagger-ui"}},
		{Name: "start", URL: "/api-docs/initializer.js", Status: 200, Contains: []string{"validatorUrl: null", `url: "/api-docs/openapi.json"`}, Lacks: []string{"://"}},
		{
			Name: "script", URL: "/api-docs/swagger-ui-bundle.js", Headers: plain, Status: 200, Contains: []string{"SwaggerUIBundle", "5.29"},
			Answers: map[string]string{"Content-Encoding": "", "Content-Type": "text/javascript; charset=utf-8"},
		},
		{
			Name: "script packed", URL: "/api-docs/swagger-ui-bundle.js", Headers: map[string]string{"Accept-Encoding": "gzip"}, Status: 200,
			Contains: []string{"\x1f\x8b"}, Answers: map[string]string{"Content-Encoding": "gzip"},
		},
		{Name: "style", URL: "/api-docs/swagger-ui.css", Headers: plain, Status: 200, Contains: []string{".swagger-ui"}},
		{Name: "icon", URL: "/api-docs/favicon-32x32.png", Status: 200, Answers: map[string]string{"Content-Type": "image/png"}},
		{Name: "document", URL: "/api-docs/openapi.json", Status: 200, Contains: []string{`"openapi":"3.1.0"`, `"RouteFailure"`}},
		{Name: "another file", URL: "/api-docs/route.go", Status: 404, Error: "not_found"},
		{Name: "a way out", URL: "/api-docs/..%2f..%2fgo.mod", Status: 404, Error: "not_found"},
	})
}

// The policy is what keeps the browser at home: no source but this host.
func TestDocsPolicy(t *testing.T) {
	res, _ := routetest.Send(t, routetest.New(), routetest.Scenario{URL: "/api-docs"})
	policy := res.Header.Get("Content-Security-Policy")
	allowed := regexp.MustCompile(`^([a-z]+-(src|ancestors|uri|action)( '(none|self|unsafe-inline)'| data:)+(; )?)+$`)
	if !allowed.MatchString(policy) {
		t.Errorf("the policy lets something else in: %s", policy)
	}
}
