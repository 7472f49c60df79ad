package route

import "strings"

// Mounted lists what fiber really serves, in our way of writing paths.
func (r *Router) Mounted() []string {
	r.seal()
	var list []string
	for _, f := range r.app.GetRoutes(true) {
		segments := strings.Split(f.Path, "/")
		for i, s := range segments {
			if name, found := strings.CutPrefix(s, ":"); found {
				segments[i] = "{" + name + "}"
			}
		}
		list = append(list, f.Method+" "+strings.Join(segments, "/"))
	}
	return list
}
