import { SECOND } from "../api/time.ts";
import { type Sample, typed } from "./sample.ts";

const configMap = (greeting: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: words
data:
  greeting: ${greeting}
`;

const follows = `# At 10 s the ConfigMap changes. The mounted file follows within 60 to 90 s; the variable and the subPath never do.
${configMap("hello")}---
apiVersion: v1
kind: Pod
metadata:
  name: reader
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "while true; do echo file=$(cat /words/greeting) subPath=$(cat /pinned/greeting) variable=$GREETING; sleep 5; done"]
      env:
        - name: GREETING
          valueFrom:
            configMapKeyRef:
              name: words
              key: greeting
      volumeMounts:
        - name: words
          mountPath: /words
        - name: words
          mountPath: /pinned/greeting
          subPath: greeting
  volumes:
    - name: words
      configMap:
        name: words
`;

const aboutMe = `# The Pod reads about itself: fields as variables, labels and resources as files. At 10 s a label changes.
apiVersion: v1
kind: Pod
metadata:
  name: mirror
  labels:
    zone: us-est-coast
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "echo $NAME on $NODE, $MILLI thousandths of a core; while true; do cat /about/labels; echo; sleep 10; done"]
      resources:
        requests:
          cpu: 125m
          memory: 32Mi
        limits:
          cpu: 250m
          memory: 64Mi
      env:
        - name: NAME
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
        - name: NODE
          valueFrom:
            fieldRef:
              fieldPath: spec.nodeName
        - name: MILLI
          valueFrom:
            resourceFieldRef:
              resource: limits.cpu
              divisor: 1m
      volumeMounts:
        - name: about
          mountPath: /about
  volumes:
    - name: about
      downwardAPI:
        items:
          - path: labels
            fieldRef:
              fieldPath: metadata.labels
          - path: memory-limit
            resourceFieldRef:
              containerName: app
              resource: limits.memory
`;

const envFile = `# An init container writes a file of variables; the main container gets one of them as its environment.
apiVersion: v1
kind: Pod
metadata:
  name: told-by-file
spec:
  restartPolicy: Never
  initContainers:
    - name: find-out
      image: busybox:1.36
      command: ["sh", "-c", "echo \\"DB_ADDRESS='db.example:5432'\\" > /settings/config.env"]
      volumeMounts:
        - name: settings
          mountPath: /settings
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "echo the database is at $DB_ADDRESS"]
      env:
        - name: DB_ADDRESS
          valueFrom:
            fileKeyRef:
              volumeName: settings
              path: config.env
              key: DB_ADDRESS
  volumes:
    - name: settings
      emptyDir: {}
`;

const token = `# A token for one audience, good for ten minutes. After 80 % of that the kubelet fetches another.
apiVersion: v1
kind: Pod
metadata:
  name: bearer
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "while true; do echo ends in $(tail -c 12 /var/run/vault/token); sleep 60; done"]
      volumeMounts:
        - name: vault
          mountPath: /var/run/vault
  volumes:
    - name: vault
      projected:
        sources:
          - serviceAccountToken:
              path: token
              audience: vault
              expirationSeconds: 600
`;

const together = `# Two containers, one emptyDir: what the one writes the other serves. At 8 s the page is asked for.
apiVersion: v1
kind: Pod
metadata:
  name: pair
spec:
  restartPolicy: Never
  volumes:
    - name: page
      emptyDir: {}
  containers:
    - name: web
      image: nginx:1.27
      volumeMounts:
        - name: page
          mountPath: /usr/share/nginx/html
    - name: writer
      image: debian
      command: ["/bin/sh", "-c", "echo Written next door > /page/index.html"]
      volumeMounts:
        - name: page
          mountPath: /page
`;

const owners = `# Who a process is, and whose the files of its volume are: user, group, and the group of the volumes.
apiVersion: v1
kind: Pod
metadata:
  name: not-root
spec:
  restartPolicy: Never
  securityContext:
    runAsUser: 1000
    runAsGroup: 3000
    fsGroup: 2000
    supplementalGroups: [4000]
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "id; ls -ld /data; echo mine > /data/note; ls -l /data/note"]
      volumeMounts:
        - name: data
          mountPath: /data
  volumes:
    - name: data
      emptyDir: {}
`;

const hoarder = `# It writes 20 MiB into a cache of 10: nothing stops it at once, but the kubelet measures now and then, and evicts the Pod.
apiVersion: v1
kind: Pod
metadata:
  name: hoarder
spec:
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "sleep 5; dd if=/dev/zero of=/cache/file bs=1M count=20; sleep 3600"]
      volumeMounts:
        - name: cache
          mountPath: /cache
  volumes:
    - name: cache
      emptyDir:
        sizeLimit: 10Mi
`;

const imageVolume = `# The files of an image as a read-only volume: nothing of it is run.
apiVersion: v1
kind: Pod
metadata:
  name: librarian
spec:
  containers:
    - name: shell
      image: debian
      command: ["sleep", "infinity"]
      volumeMounts:
        - name: books
          mountPath: /books
  volumes:
    - name: books
      image:
        reference: quay.io/crio/artifact:v2
        pullPolicy: IfNotPresent
`;

const scratch = `# A disk of the Pod's own: its claim is made with it and goes with it. At 20 s the Pod is deleted.
apiVersion: v1
kind: Pod
metadata:
  name: tenant
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "echo mine > /scratch/note; cat /scratch/note; sleep 3600"]
      volumeMounts:
        - name: scratch
          mountPath: /scratch
  volumes:
    - name: scratch
      ephemeral:
        volumeClaimTemplate:
          spec:
            accessModes: ["ReadWriteOnce"]
            resources:
              requests:
                storage: 1Gi
`;

const wrongPlace = `# A volume mounted over a file, without the subPath that was meant: the container cannot be started.
${configMap("hello")}---
apiVersion: v1
kind: Pod
metadata:
  name: misplaced
spec:
  containers:
    - name: web
      image: nginx:1.27
      volumeMounts:
        - name: words
          mountPath: /usr/share/nginx/html/index.html
  volumes:
    - name: words
      configMap:
        name: words
`;

const VOLUMES = "Documentation: settings and volumes";

/** What the Kubernetes documentation shows of settings, files and volumes, with manifests of our own. */
export const VOLUME_SAMPLES: readonly Sample[] = [
  { id: "config-update", title: "A ConfigMap changes", file: "reader.yaml", text: follows, after: [typed(10, "apply -f words.yaml", { "words.yaml": configMap("goodbye") }), typed(110, "logs reader --tail=3")], until: 115 * SECOND },
  { id: "downward", title: "Downward API: a Pod about itself", file: "mirror.yaml", text: aboutMe, after: [typed(10, "label pod mirror zone=us-east-coast --overwrite")], until: 30 * SECOND },
  { id: "env-file", title: "Variables from a file", file: "told-by-file.yaml", text: envFile, until: 10 * SECOND },
  { id: "token", title: "A token and its renewal", file: "bearer.yaml", text: token, until: 600 * SECOND },
  { id: "pair", title: "Two containers share a volume", file: "pair.yaml", text: together, after: [typed(8, "exec pair -c web -- curl -s localhost")], until: 12 * SECOND },
  { id: "owners", title: "Users, groups and fsGroup", file: "not-root.yaml", text: owners, after: [typed(6, "logs not-root")], until: 10 * SECOND },
  { id: "hoarder", title: "emptyDir above its limit", file: "hoarder.yaml", text: hoarder, until: 150 * SECOND },
  { id: "image-volume", title: "An image as a volume", file: "librarian.yaml", text: imageVolume, after: [typed(10, "exec librarian -- cat /books/dir/file"), typed(11, "exec librarian -- ls -l /books")], until: 15 * SECOND },
  { id: "ephemeral", title: "A disk that goes with its Pod", file: "tenant.yaml", text: scratch, after: [typed(15, "get pvc"), typed(20, "delete pod tenant")], until: 45 * SECOND },
  { id: "misplaced", title: "A volume over a file", file: "misplaced.yaml", text: wrongPlace, until: 40 * SECOND },
].map((sample) => ({ ...sample, group: VOLUMES }));
