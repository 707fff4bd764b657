SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#api",
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
