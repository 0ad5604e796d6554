extension JobFile {
  /// The requests to AWS Batch, as the members of one object of JSON.
  ///
  /// Source: AWS Batch, API Reference, RegisterJobDefinition and SubmitJob; User Guide, Array jobs.
  var awsBatchRequests: String {
    // A job without an array has no index.
    let number = isArray ? "$((AWS_BATCH_JOB_ARRAY_INDEX + 1))" : "1"
    let folder = Quoted.json(mountPoint)
    return """
      {
        "comment": [
      \(awsNotes)
        ],
        "registerJobDefinition": {
          "jobDefinitionName": "mediabatch",
          "type": "container",
          "retryStrategy": {
            "attempts": 4,
            "evaluateOnExit": [
              { "onExitCode": "64", "action": "EXIT" },
              { "onExitCode": "69", "action": "EXIT" },
              { "onExitCode": "77", "action": "EXIT" },
              { "onExitCode": "78", "action": "EXIT" },
              { "onReason": "*", "action": "RETRY" }
            ]
          },
          "containerProperties": {
            "image": "EDIT",
            "command": \(awsCommand(shardSteps(number: number, isContainer: true))),
            "resourceRequirements": [
              { "type": "VCPU", "value": "2" },
              { "type": "MEMORY", "value": "4096" }
            ],
            "volumes": [{ "name": "media", "host": { "sourcePath": \(folder) } }],
            "mountPoints": [{ "sourceVolume": "media", "containerPath": \(folder) }]
          }
        },
        "submitJob": {
          "jobName": "mediabatch",
          "jobQueue": "EDIT",\(isArray ? "\n    \"arrayProperties\": { \"size\": \(shards) }," : "")
          "jobDefinition": "mediabatch"
        },
        "submitMerge": {
          "jobName": "mediabatch-merge",
          "jobQueue": "EDIT",
          "jobDefinition": "mediabatch",
          "dependsOn": [{ "jobId": "EDIT" }],
          "retryStrategy": { "attempts": 1 },
          "containerOverrides": { "command": \(awsCommand(mergeSteps())) }
        }
      }

      """
  }

  /// An array has 2 to 10,000 children.
  private var isArray: Bool { shards > 1 }

  private var awsNotes: String {
    var lines = [
      "Imports \(subject),",
      "on AWS Batch, whose indexes begin at 0.",
      "Change what is EDIT, and the volume. The image must have no ENTRYPOINT: the command would follow it.",
      "Each of the other members is the request of one call of the command line, such as",
      "  jq .registerJobDefinition mediabatch.json >request.json",
      "  aws batch register-job-definition --cli-input-json file://request.json",
      "and aws batch submit-job for the others. submitMerge needs the jobId that submitJob has given.",
    ]
    if !isArray {
      lines.append("There is no array, which would have 2 to 10000 children: the plan has one shard.")
    } else if shards > 10_000 {
      lines.append("AWS Batch refuses this array, whose size may be 2 to 10000: plan fewer shards.")
    }
    return (lines + noteLines).map { "    " + Quoted.json($0) }.joined(separator: ",\n")
  }

  private func awsCommand(_ script: [String]) -> String {
    let text = (["set -eu"] + script).map { Quoted.json($0).dropFirst().dropLast() }
    return "[\"/bin/sh\", \"-c\", \"" + text.joined(separator: "\\n") + "\"]"
  }
}
