// Reads a document, follows every reference and holds it against the schema of OpenAPI: node parse.mjs <document>
import SwaggerParser from "@apidevtools/swagger-parser";

const { info, paths } = await SwaggerParser.validate(process.argv[2]);
console.log(info.title, Object.keys(paths).length);
