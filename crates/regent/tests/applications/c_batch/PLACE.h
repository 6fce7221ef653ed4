static int in_header(int *place)
{
    return *place;
}
