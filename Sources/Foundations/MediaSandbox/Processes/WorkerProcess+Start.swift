private import CSandbox
private import Glibc
import MediaModel

extension WorkerProcess {
  /// Returns the absolute path of this program's file. Call before confinement.
  ///
  /// - Throws: `.spawnFailed` when /proc is missing.
  ///
  /// Source: proc(5), /proc/self/exe.
  package static func ownFile() throws(SandboxError) -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0, length < buffer.count else {
      throw SandboxError(.spawnFailed, number: errno, subject: "/proc/self/exe")
    }
    return buffer[..<length].map { UInt8(bitPattern: $0) }
  }

  /// Returns the absolute path of a program in the same folder as this one.
  ///
  /// Call before confinement. Links are followed, so it is the folder of the file itself.
  ///
  /// - Parameter name: One component, such as `mediabatch-worker`.
  /// - Returns: The path's bytes.
  /// - Throws: `.spawnFailed` when it or /proc is missing.
  ///
  /// Source: proc(5), /proc/self/exe.
  package static func programBeside(_ name: String) throws(SandboxError) -> [UInt8] {
    let own = try ownFile()
    guard let slash = own.lastIndex(of: UInt8.slash) else {
      throw SandboxError(.spawnFailed, number: ENOENT, subject: "/proc/self/exe")
    }
    let program = Array(own[...slash]) + Array(name.utf8)
    guard program.withPath({ access($0, X_OK) }) == 0 else {
      throw SandboxError(.spawnFailed, number: errno, subject: program.pathText)
    }
    return program
  }

  /// The words that this process was started with, the name of its program first.
  ///
  /// Swift's `CommandLine.arguments` reads /proc/self/maps, which the coordinator's layers forbid,
  /// and is then empty.
  package static var ownWords: [[UInt8]] {
    (0..<csandbox_argument_count()).compactMap { index in
      csandbox_argument(index).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  /// The same without that name, as texts.
  package static var ownArguments: [String] {
    ownWords.dropFirst().map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the rules that a coordinator's layers need so that a worker, which inherits them,
  /// starts.
  ///
  /// They allow reading ``WorkerConfinement/systemRules``; executing the worker and its dynamic
  /// loader, and no other program; and, in a build that is not linked statically, reading each
  /// library that this process has loaded from elsewhere (the Swift runtime of a toolchain).
  ///
  /// Call before confinement. A program linked statically has no loader, which is no error.
  ///
  /// - Parameter executable: The worker, from ``programBeside(_:)``.
  /// - Returns: Rules for every layer of the coordinator.
  /// - Throws: `.spawnFailed` when the worker cannot be read or is no ELF file of this machine.
  ///
  /// Source: elf(5), PT_INTERP; execve(2): both files need to be read and executed;
  /// dl_iterate_phdr(3).
  package static func startRules(executable: [UInt8]) throws(SandboxError) -> [PathRule] {
    let capacity = Int(PATH_MAX)
    var buffer = [CChar](repeating: 0, count: capacity)
    let result = executable.withPath { csandbox_interpreter($0, &buffer, capacity) } ?? -EINVAL
    guard result >= 0 else {
      throw SandboxError(.spawnFailed, result: result, subject: executable.pathText)
    }
    var rules = WorkerConfinement.systemRules
    rules.append(PathRule(path: executable, rights: [.readFile, .execute]))
    if result == 1 {
      let loader = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      rules.append(PathRule(path: loader, rights: [.readFile, .execute]))
    }
    let system = WorkerConfinement.systemRules.map { $0.path + [UInt8.slash] }
    for object in loadedObjects() where !system.contains(where: { object.starts(with: $0) }) {
      rules.append(PathRule(path: object, rights: .readFile, isOptional: true))
    }
    return rules
  }

  /// The absolute paths of the shared libraries that this process uses.
  private static func loadedObjects() -> [[UInt8]] {
    var objects: [[UInt8]] = []
    withUnsafeMutablePointer(to: &objects) { pointer in
      csandbox_each_loaded_object(
        { path, context in
          guard let path, let context else { return }
          context.assumingMemoryBound(to: [[UInt8]].self).pointee
            .append(Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
        },
        pointer
      )
    }
    return objects
  }
}
