// Everything comes from this host: no validator badge, no outside address.
SwaggerUIBundle({
  url: "/api-docs/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
});
