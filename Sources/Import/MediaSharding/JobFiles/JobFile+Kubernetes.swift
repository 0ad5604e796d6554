extension JobFile {
  /// An Indexed Job, and below it the Job of the merge as a comment.
  ///
  /// Source: Kubernetes, Jobs: Completion mode, Backoff limit per index, Pod failure policy.
  var kubernetesJob: String {
    """
    # Imports \(subject),
    # as one Indexed Job. Its indexes begin at 0.
    #
    # It needs Kubernetes 1.29 or newer, for the limit of repetitions of each index.
    # Change the lines with EDIT; the claim has to show the folders of the plan, the media and the library.
    #
    #   kubectl apply -f mediabatch.yaml
    #   kubectl wait --for=condition=Complete --timeout=24h job/mediabatch
    #
    # Then the merge, whose Job is the comment at the end:
    #
    #   sed -n '/^# ---$/,$ s/^# //p' mediabatch.yaml | kubectl apply -f -
    #
    \(Self.indented(noteLines, margin: "# "))
    \(shardJob)
    # ---
    \(Self.indented(mergeJob.split(separator: "\n").map(String.init), margin: "# "))

    """
  }

  private var shardJob: String {
    """
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: mediabatch
    spec:
      completionMode: Indexed
      completions: \(shards)
      parallelism: \(min(shards, 8)) # EDIT
      backoffLimitPerIndex: 3
      podFailurePolicy:
        rules:
          # A pod that was evicted, or whose node is lost, starts again as often as needed.
          - action: Ignore
            onPodConditions: [{ type: DisruptionTarget, status: "True" }]
          # After these codes another start is of no use.
          - action: FailIndex
            onExitCodes: { containerName: mediabatch, operator: In, values: [\(Self.finalCodes)] }
    \(template(shardSteps(number: "$((JOB_COMPLETION_INDEX + 1))", isContainer: true)))
    """
  }

  private var mergeJob: String {
    """
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: mediabatch-merge
    spec:
      backoffLimit: 3
      podFailurePolicy:
        rules:
          - action: Ignore
            onPodConditions: [{ type: DisruptionTarget, status: "True" }]
          - action: FailJob
            onExitCodes: { containerName: mediabatch, operator: In, values: [3, \(Self.finalCodes)] }
    \(template(mergeSteps()))
    """
  }

  private func template(_ script: [String]) -> String {
    """
      template:
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          containers:
            - name: mediabatch
              image: localhost/mediabatch:latest # EDIT
              command:
                - /bin/sh
                - -c
                - |
    \(Self.indented((["set -eu"] + script).map(Quoted.kubernetes), by: 14))
              resources:
                requests: { cpu: "2", memory: 2Gi } # EDIT
              volumeMounts:
                - name: media
                  mountPath: \(Quoted.json(mountPoint)) # EDIT
          volumes:
            - name: media
              persistentVolumeClaim:
                claimName: edit-this-claim # EDIT
    """
  }

  /// The folder that plan and library have in common, or the plan's where that is the root.
  var mountPoint: String {
    let plan = plan.split(separator: "/").dropLast()
    let output = output.split(separator: "/").dropLast()
    let common = zip(plan, output).prefix { $0 == $1 }.map(\.0)
    return "/" + (common.isEmpty ? Array(plan) : common).joined(separator: "/")
  }
}
