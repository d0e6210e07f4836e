// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go and pkg/api/validate/content

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const DNS1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const LABEL_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${LABEL_KEY})?`;
const WILDCARD = `\\*\\.${SUBDOMAIN}`;
const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
const labelRegexp = whole(LABEL);
const subdomainRegexp = whole(SUBDOMAIN);
const dns1035Regexp = whole(DNS1035);
const labelKeyRegexp = whole(LABEL_KEY);
const labelValueRegexp = whole(LABEL_VALUE);
const wildcardRegexp = whole(WILDCARD);

const LABEL_MESSAGE = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const SUBDOMAIN_MESSAGE = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const DNS1035_MESSAGE = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const LABEL_KEY_MESSAGE = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_VALUE_MESSAGE = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const WILDCARD_MESSAGE = "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";

/** Text of a failed pattern; upstream leaves a comma before "or", hence the double spaces. */
export function regexError(message: string, pattern: string, ...examples: string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  return `${message} (e.g. ${examples.map((e) => `'${e}', `).join(" or ")}regex used for validation is '${pattern}')`;
}

export const maxLenError = (length: number): string => `must be no more than ${length} characters`;
export const inclusiveRangeError = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;

/** Length in bytes of the UTF-8 form, as Go's len(). */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    // A surrogate pair is 2 units here and 4 bytes in UTF-8: one extra byte a unit.
    bytes += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

export function isDNS1123Label(value: string): string[] {
  const errors: string[] = [];
  if (byteLength(value) > 63) errors.push(maxLenError(63));
  if (!labelRegexp.test(value)) errors.push(subdomainRegexp.test(value) ? "must not contain dots" : regexError(LABEL_MESSAGE, LABEL, "my-name", "123-abc"));
  return errors;
}

export function isDNS1123Subdomain(value: string): string[] {
  const errors: string[] = [];
  if (byteLength(value) > 253) errors.push(maxLenError(253));
  if (!subdomainRegexp.test(value)) errors.push(regexError(SUBDOMAIN_MESSAGE, SUBDOMAIN, "example.com"));
  return errors;
}

const UNDERSCORE_LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const UNDERSCORE_SUBDOMAIN = `${UNDERSCORE_LABEL}(\\.${UNDERSCORE_LABEL})*`;
const underscoreSubdomain = new RegExp(`^${UNDERSCORE_SUBDOMAIN}$`);

/** A DNS search path: names such as "_tcp.example.com" are fine. */
export function isDNS1123SubdomainWithUnderscore(value: string): string[] {
  const text = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  return [...(byteLength(value) > 253 ? [maxLenError(253)] : []), ...(underscoreSubdomain.test(value) ? [] : [regexError(text, UNDERSCORE_SUBDOMAIN, "example.com")])];
}

export function isDNS1035Label(value: string): string[] {
  const errors: string[] = [];
  if (byteLength(value) > 63) errors.push(maxLenError(63));
  if (!dns1035Regexp.test(value)) errors.push(regexError(DNS1035_MESSAGE, DNS1035, "my-name", "abc-123"));
  return errors;
}

export function isWildcardDNS1123Subdomain(value: string): string[] {
  const errors: string[] = [];
  if (byteLength(value) > 253) errors.push(maxLenError(253));
  if (!wildcardRegexp.test(value)) errors.push(regexError(WILDCARD_MESSAGE, WILDCARD, "*.example.com"));
  return errors;
}

/** IsLabelKey / IsQualifiedName: an optional DNS subdomain, a slash and a name of at most 63 bytes. */
export function isQualifiedName(value: string): string[] {
  const errors: string[] = [];
  const parts = value.split("/");
  let name = parts[0] ?? "";
  if (parts.length === 2) {
    const prefix = parts[0] ?? "";
    name = parts[1] ?? "";
    if (prefix === "") errors.push("prefix part must be non-empty");
    else errors.push(...isDNS1123Subdomain(prefix).map((e) => `prefix part ${e}`));
  } else if (parts.length > 2) {
    return [`a valid label key ${regexError(LABEL_KEY_MESSAGE, LABEL_KEY, "MyName", "my.name", "123-abc")} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  if (name === "") errors.push("name part must be non-empty");
  else if (byteLength(name) > 63) errors.push("name part must be no more than 63 bytes");
  if (!labelKeyRegexp.test(name)) errors.push(`name part ${regexError(LABEL_KEY_MESSAGE, LABEL_KEY, "MyName", "my.name", "123-abc")}`);
  return errors;
}

export function isValidLabelValue(value: string): string[] {
  const errors: string[] = [];
  if (byteLength(value) > 63) errors.push("must be no more than 63 bytes");
  if (!labelValueRegexp.test(value)) errors.push(regexError(LABEL_VALUE_MESSAGE, LABEL_VALUE, "MyValue", "my_value", "12345"));
  return errors;
}

export function isValidPortName(port: string): string[] {
  const errors: string[] = [];
  if (byteLength(port) > 15) errors.push(maxLenError(15));
  if (!/^[-a-z0-9]+$/.test(port)) errors.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(port)) errors.push("must contain at least one letter (a-z)");
  if (port.includes("--")) errors.push("must not contain consecutive hyphens");
  if (port.startsWith("-") || port.endsWith("-")) errors.push("must not begin or end with a hyphen");
  return errors;
}

export const isValidPortNum = (port: number): string[] => (port >= 1 && port <= 65_535 ? [] : [inclusiveRangeError(1, 65_535)]);

const isInt32Id = (id: number): string[] => (id >= 0 && id <= 2_147_483_647 ? [] : [inclusiveRangeError(0, 2_147_483_647)]);
export const isValidUserID = isInt32Id;
export const isValidGroupID = isInt32Id;

export function isValidPercent(percent: string): string[] {
  return /^[0-9]+%$/.test(percent) ? [] : [regexError("a valid percent string must be a numeric string followed by an ending '%'", "[0-9]+%", "1%", "93%")];
}

export function isHTTPHeaderName(value: string): string[] {
  return /^[-A-Za-z0-9]+$/.test(value) ? [] : [regexError("a valid HTTP header must consist of alphanumeric characters or '-'", "[-A-Za-z0-9]+", "X-Header-Name")];
}

export function isCIdentifier(value: string): string[] {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return [];
  return [regexError("a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'", "[A-Za-z_][A-Za-z0-9_]*", "my_name", "MY_NAME", "MyName")];
}

/** Since v1.34: any printable ASCII but '='. */
export function isRelaxedEnvVarName(value: string): string[] {
  const errors: string[] = [];
  if (value === "") errors.push("environment variable name must be non-empty");
  if (!/^[\x20-\x3c\x3e-\x7e]*$/.test(value)) errors.push("a valid environment variable name must consist only of printable ASCII characters other than '='");
  return errors;
}

function hasChDirPrefix(value: string): string[] {
  if (value === ".") return ["must not be '.'"];
  if (value === "..") return ["must not be '..'"];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}

/** IsEnvVarName: the strict form, still used for envFrom prefixes of old objects. */
export function isEnvVarName(value: string): string[] {
  const pattern = "[-._a-zA-Z][-._a-zA-Z0-9]*";
  const errors = whole(pattern).test(value)
    ? []
    : [regexError("a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit", pattern, "my.env-name", "MY_ENV.NAME", "MyEnvName1")];
  return [...errors, ...hasChDirPrefix(value)];
}

export function isConfigMapKey(value: string): string[] {
  const errors: string[] = [];
  if (byteLength(value) > 253) errors.push(maxLenError(253));
  if (!/^[-._a-zA-Z0-9]+$/.test(value)) errors.push(regexError("a valid config key must consist of alphanumeric characters, '-', '_' or '.'", "[-._a-zA-Z0-9]+", "key.name", "KEY_NAME", "key-name"));
  return [...errors, ...hasChDirPrefix(value)];
}

/** A generateName prefix may end in "-": upstream validates it with the dash replaced by a letter. */
export const maskTrailingDash = (name: string): string => (name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name);
