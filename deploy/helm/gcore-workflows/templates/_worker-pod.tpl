{{- /* Pod template of a worker, for a Deployment and for the Worker Controller. Called with (dict "root" $ "worker" entry). */}}
{{- define "gcore-workflows.workerPod" -}}
{{- $values := .root.Values }}
{{- $selector := dict "root" .root "component" "worker" "account" .worker.account "pod" $values.worker }}
metadata:
  labels:
    {{- include "gcore-workflows.selector" $selector | nindent 4 }}
    {{- with $values.worker.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  {{- with $values.worker.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "gcore-workflows.serviceAccount" .root }}
  {{- include "gcore-workflows.podSecurity" . | nindent 2 }}
  # A worker that is killed earlier leaves the outcome of its calls unknown.
  terminationGracePeriodSeconds: {{ add $values.worker.shutdownSeconds $values.worker.shutdownMarginSeconds }}
  {{- include "gcore-workflows.scheduling" $selector | nindent 2 }}
  containers:
    - name: worker
      image: {{ include "gcore-workflows.image" .root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      {{- include "gcore-workflows.containerSecurity" . | nindent 6 }}
      env:
        {{- if not $values.worker.controller.enabled }}
        {{- include "gcore-workflows.temporalEnv" .root | nindent 8 }}
        {{- end }}
        {{- include "gcore-workflows.codecEnv" .root | nindent 8 }}
        {{- if .worker.existingSecret }}
        - { name: GCORE_ACCOUNT, value: {{ .worker.account | quote }} }
        - { name: GCORE_API_KEY_FILE, value: {{ printf "/etc/gcore-workflows/account/%s" .worker.key | quote }} }
        {{- else }}
        - { name: GCORE_ACCOUNTS_FILE, value: {{ printf "/etc/gcore-workflows/accounts/%s" $values.accountsFile.key | quote }} }
        {{- with .worker.account }}
        - { name: GCORE_ACCOUNTS, value: {{ . | quote }} }
        {{- end }}
        {{- end }}
        {{- if $values.secretReferences.existingSecret }}
        - { name: GCORE_SECRETS_DIR, value: /etc/gcore-workflows/secrets }
        {{- end }}
        {{- if $values.webhooks.existingSecret }}
        - { name: GCORE_WEBHOOKS_FILE, value: {{ printf "/etc/gcore-workflows/webhooks/%s" $values.webhooks.key | quote }} }
        {{- end }}
        {{- with $values.worker.deployment }}
        - { name: GCORE_WORKFLOWS_DEPLOYMENT, value: {{ . | quote }} }
        {{- end }}
        {{- if and $values.temporal.allowPlain $values.worker.controller.enabled }}
        - { name: GCORE_ALLOW_PLAIN_TEMPORAL, value: 'true' }
        {{- end }}
        # Probes and Prometheus come from outside of the Pod.
        - { name: GCORE_WORKFLOWS_LISTEN_HOST, value: '0.0.0.0' }
        - { name: GCORE_WORKFLOWS_HEALTH_PORT, value: {{ $values.worker.healthPort | quote }} }
        - { name: GCORE_WORKFLOWS_METRICS_PORT, value: {{ $values.worker.metricsPort | quote }} }
        - { name: NODE_OPTIONS, value: {{ printf "--max-old-space-size=%d --max-semi-space-size=16" (int $values.worker.heapMiB) | quote }} }
        {{- include "gcore-workflows.env" (mergeOverwrite (dict) $values.env $values.worker.env (.worker.env | default dict)) | nindent 8 }}
      ports:
        - { name: health, containerPort: {{ $values.worker.healthPort }} }
        - { name: metrics, containerPort: {{ $values.worker.metricsPort }} }
      # A worker that waits for Temporal at its start is alive, and not ready.
      livenessProbe:
        httpGet: { path: /livez, port: health }
        initialDelaySeconds: 10
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: health }
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 3
      resources: {{- toYaml $values.worker.resources | nindent 8 }}
      volumeMounts:
        {{- if not $values.worker.controller.enabled }}
        {{- include "gcore-workflows.temporalVolumeMounts" .root | nindent 8 }}
        {{- end }}
        {{- include "gcore-workflows.codecVolumeMounts" .root | nindent 8 }}
        {{- if .worker.existingSecret }}
        - { name: account, mountPath: /etc/gcore-workflows/account, readOnly: true }
        {{- else }}
        - { name: accounts, mountPath: /etc/gcore-workflows/accounts, readOnly: true }
        {{- end }}
        {{- if $values.secretReferences.existingSecret }}
        - { name: secrets, mountPath: /etc/gcore-workflows/secrets, readOnly: true }
        {{- end }}
        {{- if $values.webhooks.existingSecret }}
        - { name: webhooks, mountPath: /etc/gcore-workflows/webhooks, readOnly: true }
        - { name: webhook-secrets, mountPath: /etc/gcore-workflows/webhook-secrets, readOnly: true }
        {{- end }}
        {{- with $values.worker.extraVolumeMounts }}{{ toYaml . | nindent 8 }}{{ end }}
  volumes:
    {{- if not $values.worker.controller.enabled }}
    {{- include "gcore-workflows.temporalVolumes" .root | nindent 4 }}
    {{- end }}
    {{- include "gcore-workflows.codecVolumes" .root | nindent 4 }}
    {{- $volume := "gcore-workflows.secretVolume" }}
    {{- if .worker.existingSecret }}
    {{- include $volume (dict "name" "account" "secret" .worker.existingSecret) | nindent 4 }}
    {{- else }}
    {{- include $volume (dict "name" "accounts" "secret" $values.accountsFile.existingSecret) | nindent 4 }}
    {{- end }}
    {{- if $values.secretReferences.existingSecret }}
    {{- include $volume (dict "name" "secrets" "secret" $values.secretReferences.existingSecret) | nindent 4 }}
    {{- end }}
    {{- if $values.webhooks.existingSecret }}
    {{- include $volume (dict "name" "webhooks" "secret" $values.webhooks.existingSecret) | nindent 4 }}
    {{- include $volume (dict "name" "webhook-secrets" "secret" $values.webhooks.secretsExistingSecret) | nindent 4 }}
    {{- end }}
    {{- with $values.worker.extraVolumes }}{{ toYaml . | nindent 4 }}{{ end }}
{{- end }}
