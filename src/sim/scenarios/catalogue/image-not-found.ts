import { SECOND } from "../../api/time.ts";
import { applyText, type Scenario } from "../scenario.ts";

const MANIFEST = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      image: nginx:1.27
`;

export const imageNotFound = {
  id: "image-not-found",
  title: "The registry does not know the image, until it does",
  recipe: {
    world: "three-nodes",
    seed: 1,
    profile: "quiet",
    inputs: [{ at: 0, type: "fault", id: "image.not-found", params: { image: "nginx:1.27" }, until: 45 * SECOND }, applyText("web.yaml", MANIFEST, 0)],
  },
  until: 120 * SECOND,
} satisfies Scenario;
