import Glibc
import MediaSandbox

/// Runs a program on an older kernel: `landlock-N`, `no-landlock-ERRNO`, `no-seccomp-ERRNO`.
func onKernel(_ name: String, _ program: [String]) throws(SandboxError) {
  let number = name.split(separator: "-").last.flatMap { Int32($0) } ?? 0
  let kernel: OlderKernel
  if name.hasPrefix("landlock-") {
    kernel = .landlock(abi: Int(number))
  } else if name.hasPrefix("no-landlock-") {
    kernel = .withoutLandlock(number)
  } else if name.hasPrefix("no-seccomp-") {
    kernel = .withoutSeccomp(number)
  } else {
    return emit("no such kernel")
  }
  exit(try kernel.run(program))
}

/// Prints how a confined coordinator fares at rights that only a newer Landlock has.
func newerRights(_ stage: SelfTestStage) throws(SandboxError) {
  let device = stage.allowedFolder + "/device"
  // The device number is that of /dev/null.
  guard mknod(device, S_IFCHR | 0o600, 1 << 8 | 3) == 0 else { return emit("mknod \(errno)") }
  defer { unlink(device) }
  try confineCoordinator(stage, without: [])
  let cut = open(stage.publishedFile, O_RDONLY | O_TRUNC | O_CLOEXEC)
  emit("cut \(cut >= 0 ? "worked" : SandboxError(.ruleRefused, number: errno).numberName)")
  let opened = open(device, O_RDONLY | O_CLOEXEC)
  var attributes = termios()
  // The device is no terminal, so ENOTTY is its own answer.
  let asked = tcgetattr(opened, &attributes)
  emit("device \(asked == 0 ? "worked" : SandboxError(.ruleRefused, number: errno).numberName)")
  let signalled = kill(getppid(), 0)
  emit("signal \(signalled == 0 ? "worked" : SandboxError(.ruleRefused, number: errno).numberName)")
}

/// Requests the rights of another ABI of Landlock, and prints the kernel's answer.
func asksFor(abi: Int) {
  do throws(SandboxError) {
    let kernel = KernelSupport(landlockABI: abi, seccomp: true, kernelRelease: "")
    try LandlockLayer.enforce(rules: [], kernel: kernel, minimumABI: 1)
    emit("enforced")
  } catch {
    emit("\(error.code.rawValue) \(error.numberName)")
  }
}
