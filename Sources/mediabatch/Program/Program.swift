internal import MediaCommands

/// The program: all of it is in ``MediaCommands``, which tests call in their own process too.
@main
enum Program {
  static func main() { Mediabatch.main() }
}
