import { describe, expect, test } from "vitest";
import { AdmissionEvaluation, expressionErrors } from "./admission.ts";
import { celEnvironment, compile, evaluate, isCelFailure } from "./cel.ts";

const env = celEnvironment({ object: "dyn", self: { record: "Self", fields: { replicas: "int", ratio: "double", names: { list: "string" }, labels: { map: "string" }, when: "timestamp", inner: { record: "Self.inner", fields: { a: "string" } }, items: { list: { record: "Self.item", fields: { name: "string", size: "int" } } } } } });

const object = { metadata: { name: "web", labels: { app: "x" } }, spec: { replicas: 3, weight: 1.5, containers: [{ name: "a", image: "nginx:latest" }, { name: "b", image: "redis:7" }] } };
const self = { replicas: 3, ratio: 2, names: ["b", "a"], labels: { x: "1" }, when: "2026-01-01T00:00:00Z", inner: { a: "q" }, items: [{ name: "i", size: 1 }, { name: "j", size: 2 }] };

function run(expression: string): unknown {
  const program = compile(expression, env);
  if (isCelFailure(program)) return `${program.kind}: ${program.error}`;
  const result = evaluate(program, { object, self });
  return isCelFailure(result) ? `${result.kind}: ${result.error}` : result.value;
}

describe("values", () => {
  test.each([
    ["object.spec.replicas <= 5", true], ["object.spec.weight > 1", true], ["object.spec.replicas == 3.0", true], ["self.ratio * 2.0", 4], ["self.replicas + 1", 4],
    ["object.spec.containers.all(c, !c.image.endsWith(':latest'))", false], ["object.spec.containers.map(c, c.name).join(',')", "a,b"], ["has(object.spec.nothing)", false], ["has(object.metadata.labels.app)", true],
    ["object.?spec.?nothing.orValue(7)", 7], ["object.spec == object.spec", true], ["self == self", true], ["self.items[0] == self.items[1]", false], ["self.items.all(i, i.size > 0)", true], ["self.items[1].name", "j"],
    ["self.when.getFullYear()", 2026], ["self.when < timestamp('2027-01-01T00:00:00Z')", true], ["'x' in self.labels", true], ["self.names.isSorted()", false], ["[1,2,3].sum()", 6], ["[3,1].min()", 1], ["self.names.indexOf('a')", 1],
    ["quantity('1Gi').isGreaterThan(quantity('500M'))", true], ["quantity('100m').add(quantity('1')).asApproximateFloat()", 1.1], ["isQuantity('1Q')", false], ["cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))", true], ["ip.isCanonical('2001:DB8::1')", false],
    ["url('https://e.com:80/p?a=b').getHost()", "e.com:80"], ["'abc 123'.find('[0-9]+')", "123"], ["'AbC'.matches('(?i)^abc$')", true], ["matches('ab', 'a')", true], ["'a1b22'.findAll('[0-9]+')", ["1", "22"]], ["sets.contains([1,2],[1])", true],
    ["'%s is %d, %.2f'.format([dyn('x'), dyn(3), dyn(1.5)])", "x is 3, 1.50"], ["semver('1.2.3').isLessThan(semver('1.10.0'))", true], ["format.dns1123Label().validate('A_b').hasValue()", true], ["format.dns1123Label().validate('ab').hasValue()", false],
    ["['a','b'].all(i, v, i < 2)", true], ["self.labels.transformList(k, v, k + v)", ["x1"]], ["self.labels.transformMap(k, v, v + '!')", { x: "1!" }], ["{'a': 1}.exists(k, v, v == 1)", true], ["optional.of(2).optMap(x, x + 1).value()", 3],
    ["cel.bind(x, 2, x * x)", 4], ["size(object.spec.containers)", 2], ["type(object.spec.replicas) == int", true], ["object.spec.containers.exists_one(c, c.name == 'a')", true], ["'a,b'.split(',').size()", 2], ["'hello'.replace('l', 'L', 1)", "heLlo"],
  ])("%s is %j", (expression, value) => expect(run(expression)).toEqual(value));
});

describe("refusals in the words of cel-go", () => {
  test.each([
    ["foo.bar == 1", "compile: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo.bar == 1\n | ^"],
    ["object.nope()", "compile: ERROR: <input>:1:12: undeclared reference to 'nope' (in container '')\n | object.nope()\n | ...........^"],
    ["self.bogus", "compile: ERROR: <input>:1:5: undefined field 'bogus'\n | self.bogus\n | ....^"],
    ["self.replicas == 'a'", "compile: ERROR: <input>:1:15: found no matching overload for '_==_' applied to '(int, string)'\n | self.replicas == 'a'\n | ..............^"],
    ["self.replicas.startsWith('a')", "compile: ERROR: <input>:1:25: found no matching overload for 'startsWith' applied to 'int.(string)'\n | self.replicas.startsWith('a')\n | ........................^"],
    ["self.replicas >", "compile: ERROR: <input>:1:16: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.replicas >\n | ...............^"],
    ["object.spec.nothing", "runtime: no such key: nothing"], ["self.names[5]", "runtime: index out of bounds: 5"], ["1 / 0", "runtime: division by zero"], ["1 % 0", "runtime: modulus by zero"], ["object.spec.replicas + 'a'", "runtime: no such overload"],
  ])("%s", (expression, text) => expect(String(run(expression)).slice(0, text.length)).toBe(text));

  test("an evaluation has a cost limit", () => {
    const many = `[${Array.from({ length: 200 }, () => "1").join(",")}]`;
    expect(run(`${many}.all(a, ${many}.all(b, ${many}.all(c, a + b + c == 3)))`)).toBe("cost: operation cancelled: actual cost limit exceeded");
  });

  test("the same evaluation costs the same", () => {
    const program = compile("object.spec.containers.all(c, c.name != '')", env);
    if (isCelFailure(program)) throw new Error(program.error);
    expect(evaluate(program, { object })).toEqual(evaluate(program, { object }));
    expect(evaluate(program, { object }, 3)).toMatchObject({ kind: "cost" });
  });
});

describe("admission", () => {
  test.each([
    ["object.spec.replicas <= params.max", "condition", true, undefined],
    ["object.spec.replicas <= params.max", "condition", false, "undeclared reference to 'params' (in container '')"],
    ["object.metadata.name", "condition", false, "must evaluate to bool but got dyn"],
    ["variables.n > 1", "condition", false, undefined],
    ["variables.m > 1", "condition", false, "undefined field 'm'"],
    ["authorizer.requestResource.check('get').allowed()", "condition", false, undefined],
    ["Object{}", "applyConfiguration", false, undefined],
    ["[JSONPatch{op: 'remove', path: '/x'}]", "jsonPatch", false, undefined],
    ["1", "jsonPatch", false, "must evaluate to list(JSONPatch) but got int"],
  ] as const)("%s as a %s", (expression, use, params, text) => {
    const [error] = expressionErrors(expression, "spec.x", { use, params, variables: [{ name: "n", expression: "size(object.spec.containers)" }] });
    if (text === undefined) expect(error).toBeUndefined();
    else expect(error?.message).toContain(text);
  });

  const bindings = { object: { spec: { replicas: 7, containers: [{ image: "a:latest" }] } }, oldObject: null, request: { operation: "CREATE", userInfo: { username: "u", groups: [] } }, params: { max: 5 } };
  test("variables build on each other", () => {
    const evaluation = new AdmissionEvaluation([{ name: "n", expression: "object.spec.replicas" }, { name: "tooMany", expression: "variables.n > params.max" }], { params: true }, bindings, 1000);
    expect(evaluation.run("!variables.tooMany", ["bool"])).toMatchObject({ value: false });
    expect(evaluation.run("variables.n + 1", ["bool"])).toMatchObject({ kind: "compile", error: "compilation error: must evaluate to bool but got int" });
    expect(evaluation.run("object.spec.nope == 1", ["bool"])).toMatchObject({ error: "expression 'object.spec.nope == 1' resulted in error: no such key: nope" });
    expect(evaluation.run("oldObject == null && request.operation == 'CREATE'", ["bool"])).toMatchObject({ value: true });
  });
  test("literals of mutations", () => {
    const evaluation = new AdmissionEvaluation([], {}, bindings, 1000);
    expect(evaluation.run(`Object{ metadata: Object.metadata{ labels: {"a": "Object{x: 1}"} }, spec: Object.spec{ replicas: 2, paused: object.spec.replicas > 3 } }`, [])).toMatchObject({ value: { metadata: { labels: { a: "Object{x: 1}" } }, spec: { replicas: 2, paused: true } } });
    expect(evaluation.run(`[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: "c"}]`, [])).toMatchObject({ value: [{ op: "add", path: "/metadata/labels/a~1b", value: "c" }] });
    expect(evaluation.run("object.spec.containers.map(c, Object.spec.containers{ image: c.image + '!' })", [])).toMatchObject({ value: [{ image: "a:latest!" }] });
    expect(evaluation.run("Object{}", [])).toMatchObject({ value: {} });
  });
});
