internal import ArgumentParser
internal import MediaModel

/// The options of the commands by which a person changes what a library says of its assets.
struct EditOptions: ParsableArguments {
  @Flag(help: "Wait while a run holds the library.")
  var wait = false

  @Option(help: "kernel, or process: with the program's own checks alone.")
  var enforcement = Enforcement.kernel

  @OptionGroup var key: AuditKeyOptions

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text
}
