/* stub */ typedef int stub;
