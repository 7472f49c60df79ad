// Package manifest will hold the types of the signed metadata that brings new
// modules to a node; the folders below it will verify, fetch, carry and publish
// that metadata. Nothing of it exists yet: this release runs built-in modules only.
package manifest
