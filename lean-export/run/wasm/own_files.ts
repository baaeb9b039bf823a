/** Something in the glue, and what stands there instead. */
export interface Replacement {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** The variable that names the folders of compiled modules to every thread: JSON, `[seen, real][]`. */
export const compiledFolders = "ADJUDGE_COMPILED_FOLDERS";

/**
 * Compiled modules are read by the thread that imports them. Out of the box the main thread reads for all,
 * and looks once a millisecond whether somebody asks; to import Lean's frontend is nine thousand questions.
 * Each thread has a file system of its own, so each mounts those folders, which nobody writes to. What a
 * thread has opened itself has a number that no other thread gives.
 */
export const ownFiles: readonly Replacement[] = [
  {
    name: "own files",
    from: "FS.staticInit();if(ENVIRONMENT_IS_NODE){NODEFS.staticInit()}",
    to:
      "FS.staticInit();if(ENVIRONMENT_IS_NODE){NODEFS.staticInit()}if(ENVIRONMENT_IS_PTHREAD){" +
      'var firstOwnFile=require("worker_threads").threadId<<16;' +
      "FS.nextfd=()=>{var fd=firstOwnFile;while(FS.streams[fd])fd++;return fd};" +
      `for(var [seen,real] of JSON.parse(process.env.${compiledFolders})){` +
      "FS.mkdirTree(seen);FS.mount(NODEFS,{root:real},seen);ownFolders.push(seen)}}",
  },
  {
    name: "own folders",
    from: "function ___syscall_stat64(path,buf){",
    to:
      "var ownFolders=[];var isOwnPath=path=>{path=UTF8ToString(path);" +
      'return ownFolders.some(folder=>path.startsWith(folder+"/"))};var isOwnFile=fd=>fd>=65536;' +
      "function ___syscall_stat64(path,buf){",
  },
  ...(
    [
      ["stat", "45,0,1,path,buf", "isOwnPath(path)"],
      ["open", "34,0,1,dirfd,path,flags,varargs", "isOwnPath(path)"],
      ["fstat", "20,0,1,fd,buf", "isOwnFile(fd)"],
      ["read", "158,0,1,fd,iov,iovcnt,pnum", "isOwnFile(fd)"],
      ["seek", "159,0,1,fd,offset,whence,newOffset", "isOwnFile(fd)"],
      ["close", "154,0,1,fd", "isOwnFile(fd)"],
    ] as const
  ).map(([name, call, isOwn]) => ({
    name: `own ${name}`,
    from: `if(ENVIRONMENT_IS_PTHREAD)return proxyToMainThread(${call})`,
    to: `if(ENVIRONMENT_IS_PTHREAD&&!${isOwn})return proxyToMainThread(${call})`,
  })),
];
