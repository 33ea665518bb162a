{{- /* Spec of a ScaledObject without its target. Called with (dict "root" $ "versioned" true|false). */}}
{{- define "gcore-workflows.scaling" -}}
{{- $keda := .root.Values.worker.keda }}
{{- $temporal := .root.Values.temporal }}
minReplicaCount: {{ $keda.minReplicas }}
maxReplicaCount: {{ $keda.maxReplicas }}
pollingInterval: {{ $keda.pollingInterval }}
cooldownPeriod: {{ $keda.cooldownPeriod }}
# While Temporal does not answer, keep what runs.
fallback: { failureThreshold: 3, replicas: {{ $keda.minReplicas }}, behavior: currentReplicasIfHigher }
advanced:
  horizontalPodAutoscalerConfig:
    behavior:
      scaleDown: { stabilizationWindowSeconds: {{ $keda.cooldownPeriod }} }
triggers:
  - type: temporal
    metadata:
      endpoint: {{ $temporal.address | quote }}
      namespace: {{ if .versioned }}''{{ else }}{{ $temporal.namespace | quote }}{{ end }}
      taskQueue: gcore-workflows
      queueTypes: workflow
      targetQueueSize: {{ $keda.targetQueueSize | quote }}
      {{- if .versioned }}
      # Empty texts ask the controller to put its own in; it refuses any other.
      workerDeploymentName: ''
      workerDeploymentBuildId: ''
      {{- else if .root.Values.worker.deployment }}
      workerDeploymentName: {{ .root.Values.worker.deployment | quote }}
      workerDeploymentBuildId: {{ $keda.buildId | quote }}
      {{- end }}
      {{- with $temporal.tls.serverName }}
      tlsServerName: {{ . | quote }}
      {{- end }}
      {{- if $temporal.apiKey.existingSecret }}
      enableTLS: {{ $temporal.tls.enabled | quote }}
      {{- end }}
    {{- if include "gcore-workflows.hasScalerAuth" .root }}
    authenticationRef: { name: {{ include "gcore-workflows.fullname" .root }}-temporal }
    {{- end }}
{{- end }}

{{- define "gcore-workflows.hasScalerAuth" -}}
{{- if or .Values.temporal.apiKey.existingSecret (and .Values.temporal.tls.enabled .Values.temporal.tls.existingSecret) }}true{{ end }}
{{- end }}
