{{- define "gcore-workflows.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "gcore-workflows.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "gcore-workflows.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "gcore-workflows.fullname" .) "default" .Values.serviceAccount.create) }}
{{- end }}

{{- /* Called with (dict "root" $ "component" "worker"): the labels that never change. */}}
{{- define "gcore-workflows.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- with .account }}
gcore-workflows/account: {{ . }}
{{- end }}
{{- end }}

{{- define "gcore-workflows.labels" -}}
{{ include "gcore-workflows.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "gcore-workflows.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "gcore-workflows.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- /* Whatever a client of Temporal needs. Called with the root. */}}
{{- define "gcore-workflows.temporalEnv" -}}
{{- with .Values.temporal }}
- { name: TEMPORAL_ADDRESS, value: {{ .address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ .namespace | quote }} }
{{- if .tls.enabled }}
- { name: TEMPORAL_TLS, value: 'true' }
{{- with .tls.serverName }}
- { name: TEMPORAL_TLS_SERVER_NAME, value: {{ . | quote }} }
{{- end }}
{{- if .tls.authority }}
- { name: TEMPORAL_TLS_SERVER_CA_CERT_PATH, value: /etc/gcore-workflows/temporal-tls/ca.crt }
{{- end }}
{{- if .tls.clientCertificate }}
- { name: TEMPORAL_TLS_CLIENT_CERT_PATH, value: /etc/gcore-workflows/temporal-tls/tls.crt }
- { name: TEMPORAL_TLS_CLIENT_KEY_PATH, value: /etc/gcore-workflows/temporal-tls/tls.key }
{{- end }}
{{- end }}
{{- if .allowPlain }}
- { name: GCORE_ALLOW_PLAIN_TEMPORAL, value: 'true' }
{{- end }}
{{- if .apiKey.existingSecret }}
- name: TEMPORAL_API_KEY
  valueFrom: { secretKeyRef: { name: {{ .apiKey.existingSecret }}, key: {{ .apiKey.key }} } }
{{- end }}
{{- end }}
{{- end }}

{{- define "gcore-workflows.codecEnv" -}}
{{- if .Values.codec.existingSecret }}
- { name: GCORE_CODEC_KEYS_FILE, value: {{ printf "/etc/gcore-workflows/codec/%s" .Values.codec.key | quote }} }
{{- end }}
{{- end }}

{{- /* Called with a map of names and values. */}}
{{- define "gcore-workflows.env" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- /* A Secret as a folder: whole, because a file mounted by subPath never sees that a key was replaced. */}}
{{- define "gcore-workflows.secretVolume" -}}
- name: {{ .name }}
  secret: { secretName: {{ .secret }}, defaultMode: 0440 }
{{- end }}

{{- define "gcore-workflows.temporalVolumes" -}}
{{- if and .Values.temporal.tls.enabled .Values.temporal.tls.existingSecret }}
{{ include "gcore-workflows.secretVolume" (dict "name" "temporal-tls" "secret" .Values.temporal.tls.existingSecret) }}
{{- end }}
{{- end }}

{{- define "gcore-workflows.codecVolumes" -}}
{{- if .Values.codec.existingSecret }}
{{ include "gcore-workflows.secretVolume" (dict "name" "codec" "secret" .Values.codec.existingSecret) }}
{{- end }}
{{- end }}

{{- define "gcore-workflows.temporalVolumeMounts" -}}
{{- if and .Values.temporal.tls.enabled .Values.temporal.tls.existingSecret }}
- { name: temporal-tls, mountPath: /etc/gcore-workflows/temporal-tls, readOnly: true }
{{- end }}
{{- end }}

{{- define "gcore-workflows.codecVolumeMounts" -}}
{{- if .Values.codec.existingSecret }}
- { name: codec, mountPath: /etc/gcore-workflows/codec, readOnly: true }
{{- end }}
{{- end }}

{{- define "gcore-workflows.scheduling" -}}
{{- with .pod.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
{{- if .pod.topologySpreadConstraints }}
{{- toYaml .pod.topologySpreadConstraints | nindent 2 }}
{{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "gcore-workflows.selector" . | nindent 8 }}
{{- end }}
{{- with .pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* The Deployments of workers: a list of {name, account, existingSecret, key, env}. One without existingSecret has the file of
all accounts, and serves the one that it names. */}}
{{- define "gcore-workflows.workers" -}}
{{- $name := include "gcore-workflows.fullname" . }}
{{- range .Values.accountsFile.separate }}
- { name: {{ printf "%s-worker-%s" $name . }}, account: {{ . }} }
{{- else }}
{{- if .Values.accountsFile.existingSecret }}
- { name: {{ printf "%s-worker" $name }} }
{{- end }}
{{- end }}
{{- range .Values.accounts }}
{{- /* The Worker Controller allows 63 characters, and has one worker only. */}}
- name: {{ ternary (printf "%s-worker" $name) (printf "%s-worker-%s" $name .name) $.Values.worker.controller.enabled }}
  account: {{ .name }}
  existingSecret: {{ .existingSecret }}
  key: {{ .key | default "api-key" }}
  env: {{- toYaml (.env | default dict) | nindent 4 }}
{{- end }}
{{- end }}

{{- define "gcore-workflows.checkValues" -}}
{{- with .Values }}
{{- if and .accounts .accountsFile.existingSecret }}
{{- fail "Set accounts or accountsFile.existingSecret, not both." }}
{{- end }}
{{- if not (or .accounts .accountsFile.existingSecret) }}
{{- fail "No account: set accounts, or accountsFile.existingSecret." }}
{{- end }}
{{- if and .accountsFile.separate (not .accountsFile.existingSecret) }}
{{- fail "accountsFile.separate has no effect without accountsFile.existingSecret." }}
{{- end }}
{{- if and .accountsFile.separate .worker.controller.enabled }}
{{- fail "worker.controller.enabled: leave accountsFile.separate empty, the workers of a queue belong to one worker deployment of Temporal." }}
{{- end }}
{{- if gt (len .accounts) 1 }}
{{- range .accounts }}
{{- if or (hasKey (.env | default dict) "GCORE_CLOUD_PROJECT_ID") (hasKey (.env | default dict) "GCORE_CLOUD_REGION_ID") }}
{{- fail (printf "accounts: %q has a project or region of its own, but any worker may check an input of any account. Use accountsFile, with accountsFile.separate for a Deployment each." .name) }}
{{- end }}
{{- end }}
{{- end }}
{{- $names := list }}
{{- range .accounts }}
{{- if has .name $names }}{{ fail (printf "accounts: %q is there twice." .name) }}{{ end }}
{{- $names = append $names .name }}
{{- end }}
{{- $maps := list .env .worker.env .gateway.env .codecServer.env }}
{{- range .accounts }}{{ $maps = append $maps (.env | default dict) }}{{ end }}
{{- range $maps }}
{{- range $variable, $value := . }}
{{- if has $variable (list "TEMPORAL_ADDRESS" "TEMPORAL_NAMESPACE" "TEMPORAL_TLS" "TEMPORAL_API_KEY" "GCORE_ACCOUNT" "GCORE_API_KEY_FILE" "GCORE_API_KEY" "GCORE_ACCOUNTS_FILE" "GCORE_ACCOUNTS" "GCORE_CODEC_KEYS_FILE" "GCORE_SECRETS_DIR" "GCORE_WEBHOOKS_FILE" "GCORE_ALLOW_PLAIN_TEMPORAL" "GCORE_WORKFLOWS_DEPLOYMENT" "GCORE_WORKFLOWS_HEALTH_PORT" "GCORE_WORKFLOWS_METRICS_PORT" "GCORE_WORKFLOWS_LISTEN_HOST" "NODE_OPTIONS") }}
{{- fail (printf "env: %s has a value of its own in this chart; use that." $variable) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and .worker.controller.enabled (gt (len .accounts) 1) }}
{{- fail "worker.controller.enabled needs accountsFile: the workers of a queue belong to one worker deployment of Temporal." }}
{{- end }}
{{- if .worker.controller.enabled }}
{{- $tls := .temporal.tls }}
{{- if and $tls.clientCertificate $tls.authority }}
{{- fail "worker.controller.enabled: the controller gives its workers a client certificate or an authority of your own, not both." }}
{{- end }}
{{- if and $tls.enabled (not (or $tls.clientCertificate $tls.authority .temporal.apiKey.existingSecret)) }}
{{- fail "worker.controller.enabled: the controller turns TLS on only for an API key, a client certificate or an authority of your own." }}
{{- end }}
{{- end }}
{{- if and .temporal.tls.existingSecret (not .temporal.tls.enabled) }}
{{- fail "temporal.tls.existingSecret has no effect without temporal.tls.enabled." }}
{{- end }}
{{- if and (or .temporal.tls.clientCertificate .temporal.tls.authority) (not .temporal.tls.existingSecret) }}
{{- fail "temporal.tls.clientCertificate and temporal.tls.authority need temporal.tls.existingSecret." }}
{{- end }}
{{- if and .gateway.enabled (not .gateway.tokens.existingSecret) }}
{{- fail "gateway.tokens.existingSecret is missing: without tokens everybody could start runs. Or set gateway.enabled to false." }}
{{- end }}
{{- if and .gateway.ingress.enabled (not .gateway.ingress.host) }}
{{- fail "gateway.ingress.host is missing." }}
{{- end }}
{{- if and .webhooks.existingSecret (not .webhooks.secretsExistingSecret) }}
{{- fail "webhooks.secretsExistingSecret is missing: webhooks are always signed." }}
{{- end }}
{{- if .codecServer.enabled }}
{{- if not (and .codec.existingSecret .codecServer.tokens.existingSecret .codecServer.uiOrigin) }}
{{- fail "codecServer.enabled needs codec.existingSecret, codecServer.tokens.existingSecret and codecServer.uiOrigin." }}
{{- end }}
{{- end }}
{{- if and .worker.deployment .worker.controller.enabled }}
{{- fail "Set worker.deployment or worker.controller.enabled, not both: the controller names the deployment itself." }}
{{- end }}
{{- if not (or .temporal.tls.enabled .temporal.allowPlain .temporal.apiKey.existingSecret) }}
{{- fail "temporal.tls.enabled is false: what runs send and receive would go unencrypted. Turn it on, or set temporal.allowPlain where the network itself is safe." }}
{{- end }}
{{- if .worker.keda.enabled }}
{{- if and .temporal.tls.enabled (not (or .temporal.tls.clientCertificate .temporal.apiKey.existingSecret)) }}
{{- fail "worker.keda.enabled: KEDA's scaler speaks TLS only with a client certificate or an API key." }}
{{- end }}
{{- if and .worker.deployment (not .worker.keda.buildId) }}
{{- fail "worker.keda.buildId is missing: with worker.deployment, KEDA asks for the backlog of one version." }}
{{- end }}
{{- end }}
{{- if and .worker.keda.enabled (lt (int .worker.keda.maxReplicas) (int .worker.keda.minReplicas)) }}
{{- fail "worker.keda.maxReplicas is below worker.keda.minReplicas." }}
{{- end }}
{{- end }}
{{- end }}

{{/* Where browsers reach a server: its publicUrl, or the host of its Ingress. */}}
{{- define "gcore-workflows.publicUrl" -}}
{{- $ingress := .ingress | default dict }}
{{- if .publicUrl }}
{{- .publicUrl }}
{{- else if and $ingress.enabled $ingress.host }}
{{- printf "%s://%s" (ternary "https" "http" (ne $ingress.tlsSecret "")) $ingress.host }}
{{- end }}
{{- end }}

{{- define "gcore-workflows.dns" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
  {{- with .Values.networkPolicy.dnsTo }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
