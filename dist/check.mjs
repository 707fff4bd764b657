// Lints the Dockerfile and holds the Kubernetes objects against their schemas.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { parseAllDocuments } from "yaml";

const require = createRequire(import.meta.url);
const folder = process.argv[2];
let wrong = 0;

const lint = require.resolve("dockerfilelint/bin/dockerfilelint");
const said = JSON.parse(
  spawnSync(process.execPath, [lint, "-o", "json", path.join(folder, "Dockerfile")]).stdout,
);
for (const file of said.files) {
  for (const issue of file.issues) {
    console.error(`Dockerfile, line ${issue.line}: ${issue.title}`);
    wrong++;
  }
}

for (const document of parseAllDocuments(readFileSync(path.join(folder, "kubernetes.yaml"), "utf8"))) {
  const object = document.toJS();
  const models = await import(`kubernetes-models/${object.apiVersion}`);
  try {
    new models[object.kind](object).validate();
  } catch (e) {
    console.error(`kubernetes.yaml, ${object.kind}: ${e.message}`);
    wrong++;
  }
}
process.exit(wrong === 0 ? 0 : 1);
