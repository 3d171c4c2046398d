// The provider of the tests: a certified one, on loopback, with its own pages for login, consent and logout.
// node provider.mjs '{"port": 9000, "client": {...}, "accounts": {"ada": {"name": "Ada", "groups": ["payments-team"]}}, "seconds": 3600}'
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const folder = process.env.OIDC_PROVIDER_MODULES;
const found = createRequire(`${folder}/`).resolve("oidc-provider");
const { Provider } = await import(pathToFileURL(found).href);
const { port, client, accounts, seconds } = JSON.parse(process.argv[2]);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [client],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
  scopes: ["openid", "email", "profile", "groups"],
  conformIdTokenClaims: false,
  findAccount: (context, id) => ({ accountId: id, claims: () => ({ sub: id, ...(accounts[id] ?? {}) }) }),
  cookies: { keys: ["of the tests"] },
  ttl: { IdToken: seconds, AccessToken: seconds, Grant: 3600, Session: 3600, Interaction: 3600, AuthorizationCode: 60 },
});
provider.listen(port, "127.0.0.1", () => console.log("listening"));
